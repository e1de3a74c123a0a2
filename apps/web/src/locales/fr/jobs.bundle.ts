export { jobFault } from './job-faults.ts';
export { password } from './password.ts';
export { navigation, shell } from './shell.ts';
export { staging } from './staging.ts';
export { verdict } from './verdict.ts';
