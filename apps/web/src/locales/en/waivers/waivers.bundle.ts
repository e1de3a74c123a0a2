export { review, waivers, waiverWords } from './waivers.ts';
