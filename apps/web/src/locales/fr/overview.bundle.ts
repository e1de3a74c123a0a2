export { dashboard, setup, start } from './dashboard.ts';
