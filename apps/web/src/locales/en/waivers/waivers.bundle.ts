export { waivers, waiverWords } from './waivers.ts';
