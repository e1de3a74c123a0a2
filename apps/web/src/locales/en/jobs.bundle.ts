export { jobFault } from './job-faults.ts';
export { bulk } from './lists/bulk.ts';
export { filters } from './lists/filters.ts';
export { table } from './lists/table.ts';
export { navigation, shell } from './shell.ts';
export { staging } from './staging.ts';
export { verdict } from './verdict.ts';
