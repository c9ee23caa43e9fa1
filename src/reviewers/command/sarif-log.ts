import * as z from 'zod';

const Index = z.int().nullish();
const Text = z.string().nullish();
const Component = z.looseObject({ index: Index, guid: Text, name: Text });
const Reference = z.looseObject({
  id: Text,
  index: Index,
  guid: Text,
  toolComponent: Component.nullish(),
});
const Configuration = z.looseObject({ level: Text });
const Descriptor = z.looseObject({
  id: Text,
  guid: Text,
  defaultConfiguration: Configuration.nullish(),
});
const Tool = z.looseObject({
  name: Text,
  guid: Text,
  rules: z.array(Descriptor).nullish(),
  notifications: z.array(Descriptor).nullish(),
});
const Override = z.looseObject({ descriptor: Reference, configuration: Configuration });
const Notification = z.looseObject({
  level: Text,
  descriptor: Reference.nullish(),
  message: z.looseObject({ text: Text }).nullish(),
});
const Invocation = z.looseObject({
  executionSuccessful: z.boolean().nullish(),
  processStartFailureMessage: Text,
  toolExecutionNotifications: z.array(Notification).nullish(),
  toolConfigurationNotifications: z.array(Notification).nullish(),
  ruleConfigurationOverrides: z.array(Override).nullish(),
  notificationConfigurationOverrides: z.array(Override).nullish(),
});
/** A place decides nothing: one that is malformed is left out. */
const Place = z
  .looseObject({
    artifactLocation: z.looseObject({ uri: z.string().optional() }).optional(),
    region: z
      .looseObject({
        startLine: z.int().min(1).optional(),
        endLine: z.int().min(1).optional(),
        snippet: z.looseObject({ text: z.string().optional() }).optional(),
      })
      .optional(),
  })
  .optional()
  .catch(undefined);
const Result = z.looseObject({
  ruleId: Text,
  ruleIndex: Index,
  rule: Reference.nullish(),
  level: Text,
  kind: Text,
  baselineState: Text,
  provenance: z.looseObject({ invocationIndex: Index }).nullish(),
  suppressions: z.array(z.looseObject({ status: Text })).nullish(),
  message: z.looseObject({ text: Text, markdown: Text }).nullish(),
  locations: z.array(z.looseObject({ physicalLocation: Place })).nullish(),
});
export const Run = z.looseObject({
  tool: z.looseObject({ driver: Tool.nullish(), extensions: z.array(Tool).nullish() }).nullish(),
  invocations: z.array(Invocation).nullish(),
  externalPropertyFileReferences: z.record(z.string(), z.unknown()).nullish(),
  results: z.array(Result).nullish(),
});
/** A file of SARIF 2.1.0. */
export const Log = z.looseObject({
  version: Text,
  runs: z.array(z.looseObject({})).nullable(),
  inlineExternalProperties: z.array(z.unknown()).nullish(),
});

export type Run = z.infer<typeof Run>;
export type Result = z.infer<typeof Result>;
export type Reference = z.infer<typeof Reference>;
export type Component = z.infer<typeof Component>;
export type Descriptor = z.infer<typeof Descriptor>;
export type Override = z.infer<typeof Override>;
export type Tool = z.infer<typeof Tool>;
