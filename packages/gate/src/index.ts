/** The gate's standings and decisions, for the api and the worker. */
export { type CopyDoors, createCopyDoors } from './copy-doors.ts';
export { explain, refusalLine } from './explanation.ts';
export { createGate, type Gate, pendingIn } from './gate.ts';
export { createShapes } from './manifest-shape.ts';
export type { DecidedPull } from './pull-door.ts';
export type { GateRules } from './rules.ts';
