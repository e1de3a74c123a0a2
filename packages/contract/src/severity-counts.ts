import { z } from 'zod';

export const SeverityCounts = z.strictObject({
  CRITICAL: z.number().int(),
  HIGH: z.number().int(),
  MEDIUM: z.number().int(),
  LOW: z.number().int(),
  UNKNOWN: z.number().int(),
});
export type SeverityCounts = z.infer<typeof SeverityCounts>;
