/**
 * A server of the Model Context Protocol: a coding agent uses a quality gate through it. Node only.
 *
 * @module
 */

export type { GateResource } from './gate-resource.js';
export {
  type GateServerOptions,
  type GateServers,
  gateServer,
  type ServedGate,
  serveGate,
} from './gate-server.js';
export type { WorkflowOptions } from './workflows.js';
