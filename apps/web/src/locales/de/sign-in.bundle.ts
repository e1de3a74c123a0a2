export { common } from './common.ts';
export { fault } from './faults.ts';
export { session } from './session.ts';
