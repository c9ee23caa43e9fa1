/**
 * A server of the Model Context Protocol: a coding agent uses a quality gate through it. Node only.
 *
 * @module
 */
export {
  type GateServerOptions,
  type GateServers,
  gateServer,
  type ServedGate,
  serveGate,
} from './gate-server.js';
export type { WorkflowOptions } from './workflows.js';
