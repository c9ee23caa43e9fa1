/**
 * Returns whether a path is that of a test or of its data. Values there are made up, unless they
 * have the format of a known service.
 */
export function isTestPath(path: string): boolean {
  return (
    /(?:^|\/)(?:__tests__|__fixtures__|__mocks__|tests?|specs?|e2e|fixtures?|mocks?|testdata)\//i.test(
      path,
    ) ||
    /(?:^|\/)(?:test_[^/]{1,200}|[^/]{1,200}[._-](?:test|tests|spec|fixture|mock)s?\.[\w.]{1,20})$/i.test(
      path,
    )
  );
}
