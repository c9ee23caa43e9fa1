import { describe, expect, it } from 'vitest';
import { type Language, languageOf } from '@/blocks/criteria/diff/changed-lines.js';
import { honestWork } from '@/blocks/criteria/diff/honest-work.js';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { added, changed, deleted } from './changes.js';

const found = async (...files: DiffFile[]): Promise<string[]> => {
  const { findings = [] } = await honestWork().validate({ files }, undefined, { previous: [] });
  return findings.map(({ severity, line, description }) => `${severity} ${line} ${description}`);
};

/** A change that weakens tests, what is said about it, and an honest change of the same kind. */
type Cell = readonly [what: string, path: string, bad: string, said: string, honest: string];

const javascript: readonly Cell[] = [
  [
    'a deleted test',
    'src/a.test.ts',
    " import { a } from './a';\n-it('adds', () => {\n-  expect(a(1)).toBe(2);\n-});\n ",
    'major 11 1 test deleted: adds',
    " import { a } from './a';\n-it('adds', () => {\n+it('adds one', () => {\n   expect(a(1)).toBe(2);\n });",
  ],
  [
    'a test in a comment',
    'test/a.js',
    "-it('adds', () => {\n-  assert.equal(a(1), 2);\n-});\n+// it('adds', () => {\n+//   assert.equal(a(1), 2);\n+// });",
    'major 10 1 test deleted: adds',
    "-it('adds', () => {\n-  assert.equal(a(1), 2);\n-});\n+test('adds', () => {\n+  assert.equal(a(1), 2);\n+});",
  ],
  [
    'a skipped test',
    'src/a.spec.tsx',
    "-it('adds', () => {\n+it.skip('adds', () => {\n   expect(a(1)).toBe(2);",
    'major 10 a test is skipped',
    "-it.skip('adds', () => {\n+it('adds', () => {\n   expect(a(1)).toBe(2);",
  ],
  [
    'a test with xit',
    'src/a.test.mjs',
    "-it('adds', () => {\n+xit('adds', () => {\n   expect(a(1)).toBe(2);",
    'major 10 a test is skipped',
    ' // the next line fits\n+model.fit(data);\n+exit(1);',
  ],
  [
    'a test that runs alone',
    'src/a.test.ts',
    "-describe('a', () => {\n+describe.only('a', () => {",
    'major 10 only some tests run',
    "-describe('a', () => {\n+describe.concurrent('a', () => {",
  ],
  [
    'a test that is expected to fail',
    'src/a.test.ts',
    "-it('adds', () => {\n+it.fails('adds', () => {\n   expect(a(1)).toBe(2);",
    'major 10 a test is skipped',
    "+it.skipIf(isWindows)('removes', () => {\n+  expect(b(1)).toBe(2);\n+});",
  ],
  [
    'a removed assertion',
    'src/a.test.ts',
    " it('adds', () => {\n   const sum = a(1);\n-  expect(sum).toBe(2);\n });",
    'major 12 1 assertion removed',
    " it('adds', () => {\n-  const sum = a(1);\n-  expect(sum).toBe(2);\n+  expect(a(1)).toBe(2);\n });",
  ],
  [
    'a removed helper that asserts',
    'src/a.test.ts',
    " it('adds', () => {\n-  assertSum(a(1), 2);\n   done();",
    'major 11 1 assertion removed',
    " it('adds', () => {\n-  title: 'expect(a).toBe(b)',\n   done();",
  ],
  [
    'a weaker assertion',
    'src/a.test.ts',
    " it('adds', () => {\n-  expect(sum).toBe(2);\n+  expect(sum).toBeDefined();\n });",
    'major 11 an assertion is weaker than the one it replaces',
    " it('adds', () => {\n-  expect(sum).toBe(2);\n+  expect(sum).toBe(3);\n });",
  ],
  [
    'an assertion of nothing',
    'src/a.test.ts',
    " it('adds', () => {\n-  expect(sum).toBe(2);\n+  expect(true).toBe(true);\n });",
    'major 11 an assertion cannot fail',
    " it('adds', () => {\n-  expect(sum).toBe(2);\n+  expect(sum).toEqual(2);\n });",
  ],
  [
    'an emptied test',
    'src/a.test.ts',
    " it('adds', () => {\n+  return;\n   expect(sum).toBe(2);\n });",
    'major 11 a test does nothing now: adds',
    " it('adds', () => {\n+  // adds\n   expect(sum).toBe(2);\n });",
  ],
];

const python: readonly Cell[] = [
  [
    'a deleted test',
    'tests/test_a.py',
    ' \n-def test_adds():\n-    assert a(1) == 2\n ',
    'major 11 1 test deleted: test_adds',
    ' \n-def test_adds():\n+def test_adds_one():\n     assert a(1) == 2\n ',
  ],
  [
    'a test with a name that no runner finds',
    'tests/test_a.py',
    '-def test_adds():\n+def no_test_adds():\n     assert a(1) == 2',
    'major 10 1 test deleted: test_adds',
    '-def test_adds():\n+async def test_adds():\n     assert a(1) == 2',
  ],
  [
    'a skipped test',
    'tests/test_a.py',
    '+@pytest.mark.skip(reason="flaky")\n def test_adds():\n     assert a(1) == 2',
    'major 10 a test is skipped',
    '+@pytest.mark.slow\n def test_adds():\n     assert a(1) == 2',
  ],
  [
    'a test that skips itself',
    'tests/test_a.py',
    ' def test_adds():\n+    pytest.skip("flaky")\n     assert a(1) == 2',
    'major 11 a test is skipped',
    '+@pytest.mark.skipif(sys.platform == "win32", reason="no fork")\n+def test_forks():\n+    assert b(1) == 2',
  ],
  [
    'a test that is expected to fail',
    'tests/test_a.py',
    '+@unittest.expectedFailure\n def test_adds(self):\n     self.assertEqual(a(1), 2)',
    'major 10 a test is skipped',
    '-@unittest.expectedFailure\n def test_adds(self):\n     self.assertEqual(a(1), 2)',
  ],
  [
    'a removed assertion',
    'tests/test_a.py',
    ' def test_adds():\n     a(1)\n-    assert a(1) == 2\n-    assert a(2) == 3',
    'major 12 2 assertions removed',
    ' def test_adds():\n-    assert a(1) == 2\n-    assert a(2) == 3\n+    check_sums([1, 2])\n+    check_sums([2, 3])',
  ],
  [
    'a weaker assertion',
    'tests/test_a.py',
    ' def test_adds():\n-    assert total == 2\n+    assert total is not None',
    'major 11 an assertion is weaker than the one it replaces',
    ' def test_adds():\n-    self.assertEqual(True, total)\n+    self.assertTrue(total)',
  ],
  [
    'an assertion of nothing',
    'tests/test_a.py',
    ' def test_adds():\n-    assert total == 2\n+    assert True',
    'major 11 an assertion cannot fail',
    ' def test_adds():\n-    assert total == 2\n+    assert total == 3',
  ],
  [
    'an emptied test',
    'tests/test_a.py',
    ' def test_adds():\n-    assert total == 2\n+    pass',
    'major 11 a test does nothing now: test_adds',
    ' def test_adds():\n-    assert total == 2\n+    with pytest.raises(ValueError):\n+        a("1")',
  ],
];

const go: readonly Cell[] = [
  [
    'a deleted test',
    'a_test.go',
    ' \n-func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, a(1))\n-}\n ',
    'major 11 1 test deleted: TestAdds',
    ' \n-func TestAdds(t *testing.T) {\n+func TestAddsOne(t *testing.T) {\n \tassert.Equal(t, 2, a(1))\n }',
  ],
  [
    'a skipped test',
    'a_test.go',
    ' func TestAdds(t *testing.T) {\n+\tt.Skip("flaky")\n \tassert.Equal(t, 2, a(1))',
    'major 11 a test is skipped',
    '+func TestForks(t *testing.T) {\n+\tif testing.Short() {\n+\t\tt.Skip("slow")\n+\t}\n+\tassert.Equal(t, 2, b(1))\n+}',
  ],
  [
    'a removed assertion',
    'a_test.go',
    ' func TestAdds(t *testing.T) {\n \tgot := a(1)\n-\tif got != 2 {\n-\t\tt.Errorf("got %d", got)\n-\t}\n }',
    'major 12 1 assertion removed',
    ' func TestAdds(t *testing.T) {\n \tgot := a(1)\n-\tif got != 2 {\n-\t\tt.Errorf("got %d", got)\n-\t}\n+\trequire.Equal(t, 2, got)\n }',
  ],
  [
    'a weaker assertion',
    'a_test.go',
    ' func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n+\tassert.NotNil(t, got)\n }',
    'major 11 an assertion is weaker than the one it replaces',
    ' func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n+\tassert.EqualValues(t, 2, got)\n }',
  ],
  [
    'an assertion of nothing',
    'a_test.go',
    ' func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n+\tassert.True(t, true)\n }',
    'major 11 an assertion cannot fail',
    ' func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n+\tassert.True(t, got == 2)\n }',
  ],
  [
    'a test that never runs',
    'a_test.go',
    '+func TestAdds(t *testing.T) {\n+\tt.SkipNow()\n+\tassert.Equal(t, 2, a(1))\n+}',
    'major 11 a test is skipped',
    '+func TestAdds(t *testing.T) {\n+\tt.Parallel()\n+\tassert.Equal(t, 2, a(1))\n+}',
  ],
  [
    'an emptied test',
    'a_test.go',
    '-func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n-}\n+func TestAdds(t *testing.T) {}',
    'major 10 a test does nothing now: TestAdds',
    '-func TestAdds(t *testing.T) {\n-\tassert.Equal(t, 2, got)\n-}\n+func TestAdds(t *testing.T) {\n+\tassert.Equal(t, 3, got)\n+}',
  ],
];

const java: readonly Cell[] = [
  [
    'a deleted test',
    'src/test/java/ATest.java',
    ' \n-    @Test\n-    void adds() {\n-        assertEquals(2, a(1));\n-    }\n ',
    'major 11 1 test deleted: adds',
    ' \n     @Test\n-    void adds() {\n+    void addsOne() {\n         assertEquals(2, a(1));\n     }',
  ],
  [
    'a skipped test',
    'src/test/java/ATest.java',
    '     @Test\n+    @Disabled("flaky")\n     void adds() {\n         assertEquals(2, a(1));',
    'major 11 a test is skipped',
    '     @Test\n+    @DisplayName("adds")\n     void adds() {\n         assertEquals(2, a(1));',
  ],
  [
    'an ignored test',
    'src/test/java/ATest.java',
    '+    @Ignore\n     @Test\n     public void testAdds() {',
    'major 10 a test is skipped',
    '-    @Ignore\n     @Test\n     public void testAdds() {',
  ],
  [
    'a test that leaves a system out',
    'src/test/java/ATest.java',
    '     @Test\n+    @DisabledOnOs(WINDOWS)\n     void adds() {\n         assertEquals(2, a(1));',
    'major 11 a test is skipped',
    '+    @Test\n+    @DisabledOnOs(WINDOWS)\n+    void forks() {\n+        assertEquals(2, b(1));',
  ],
  [
    'a removed assertion',
    'src/test/java/ATest.java',
    '     void adds() {\n         int sum = a(1);\n-        assertEquals(2, sum);\n     }',
    'major 12 1 assertion removed',
    '     void adds() {\n         int sum = a(1);\n-        assertEquals(2, sum);\n+        assertThat(sum).isEqualTo(2);\n     }',
  ],
  [
    'a weaker assertion',
    'src/test/java/ATest.java',
    '     void adds() {\n-        assertEquals(2, sum);\n+        assertNotNull(sum);\n     }',
    'major 11 an assertion is weaker than the one it replaces',
    '     void adds() {\n-        assertEquals(false, sum);\n+        assertFalse(sum);\n     }',
  ],
  [
    'an assertion of nothing',
    'src/test/java/ATest.java',
    '     void adds() {\n-        assertEquals(2, sum);\n+        assertTrue(true);\n     }',
    'major 11 an assertion cannot fail',
    '     void adds() {\n-        assertEquals(2, sum);\n+        assertEquals(3, sum);\n     }',
  ],
];

const cells = { javascript, python, go, java };

describe.each(Object.entries(cells))('tests in %s', (_, cells) => {
  it.each(cells)(
    'report %s, and no honest change like it',
    async (_what, path, bad, said, honest) => {
      expect(await found(changed(path, bad))).toContain(said);
      expect(await found(changed(path, honest))).toEqual([]);
    },
  );
});

/** The patterns of a language without which something goes unnoticed. */
const needed = ['test', 'skips', 'usualSkips', 'asserts', 'weak', 'constant'] as const;
const saboteurs = Object.entries(cells).flatMap(([name, cells]) =>
  needed.map((pattern) => [name, pattern, cells] as const),
);

describe('a rule that sees nothing', () => {
  it.each(saboteurs)('is noticed: %s, %s', async (_name, pattern, cells) => {
    const language = languageOf(cells[0]?.[1] ?? '') as {
      -readonly [Key in keyof Language]: Language[Key];
    };
    const whole = language[pattern];
    language[pattern] = /(?!)/;
    try {
      const noticed = [];
      for (const [what, path, bad, said] of cells)
        if ((await found(changed(path, bad))).includes(said)) noticed.push(what);
      expect(noticed.length).toBeLessThan(cells.length);
    } finally {
      language[pattern] = whole;
    }
  });
});

describe('a deleted test', () => {
  const test = "it('adds', () => {\n  expect(add(1)).toBe(2);\n});";

  it('is none if it moved to another file', async () => {
    expect(await found(deleted('a.test.ts', test), added('b.test.ts', test))).toEqual([]);
  });

  it.each([
    ['a remark if the code that it names', 'add', 'minor', ' with code that it names'],
    ['major if only other code', 'sum', 'major', ''],
  ])('is %s was deleted', async (_, name, severity, reason) => {
    const code = deleted(`${name}.ts`, `export function ${name}(a: number) {\n  return a + 1;\n}`);
    expect(await found(deleted('a.test.ts', test), code)).toEqual([
      `${severity} 10 1 test deleted${reason}: adds`,
    ]);
  });

  it('is none if a table of cases took its place', async () => {
    const table =
      "+it.each([1, 2])('adds %s', (one) => {\n+  expect(add(one)).toBe(one + 1);\n+});";
    const old = test.replace(/^/gm, '-');
    const other = old.replaceAll('adds', 'adds more');
    expect(await found(changed('a.test.ts', `${old}\n${other}\n${table}`))).toEqual([]);
  });

  it('is a remark if a test of the same things was added elsewhere', async () => {
    const body =
      '  const basket = newBasket(shop);\n  basket.addItem(pear);\n  expect(basket.total).toBe(3);\n});';
    const old = deleted('a.test.ts', `it('sums', () => {\n${body}`);
    const anew = body.replace('toBe(3)', 'toEqual(3)').replace('basket.total', 'basket.total()');
    expect(await found(old, added('b.test.ts', `it('adds up', () => {\n${anew}`))).toEqual([
      'minor 10 1 test deleted, and written anew perhaps: sums',
    ]);
    const other = "it('greets', () => {\n  expect(greeting(guest)).toBe('hello');\n});";
    expect(await found(old, added('b.test.ts', other))).toEqual(['major 10 1 test deleted: sums']);
  });

  it('is a remark if a table was added in another place of the file', async () => {
    const file = changed('a.test.ts', test.replace(/^/gm, '-'));
    const table = changed('a.test.ts', "+describe.each([1, 2])('%s', (one) => {");
    const hunks = [...file.hunks, ...table.hunks];
    expect(await found({ ...file, added: 1, hunks })).toEqual([
      'minor 10 1 test deleted, and written anew perhaps: adds',
    ]);
  });

  it('is reported if its file has the name of no test now', async () => {
    const renamed = { status: 'renamed', oldPath: 'a.test.ts' } as const;
    expect(await found(changed('a.old.ts', ' ', renamed))).toEqual([
      'major 10 a.test.ts was a test file before it was renamed',
    ]);
    expect(await found(changed('b.test.ts', ' ', renamed))).toEqual([]);
  });

  it('is not looked for among the cases of a test tool', async () => {
    expect(await found(deleted('test/fixtures/a.test.ts', test))).toEqual([]);
  });
});
