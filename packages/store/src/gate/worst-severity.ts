/** SQL of the severity of a vulnerability in several packages, over rows `f` of image_findings. */
import { SEVERITIES } from '@portcullis/domain';
import { Prisma } from '../database.ts';

/** The lower, the more severe. */
export const SEVERITY_RANK = Prisma.sql`array_position(${[...SEVERITIES]}::text[], f.severity)`;
/** Packages may rate it differently. */
export const WORST_SEVERITY = Prisma.sql`(array_agg(f.severity ORDER BY ${SEVERITY_RANK}))[1]`;
