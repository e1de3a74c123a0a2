/** A folder of the built-in registry, or a saved registry, with the name of the image there. */
import { z } from 'zod';

export const JobDestinationView = z.strictObject({
  kind: z.enum(['local', 'registry']),
  registry_id: z.string().nullable(),
  host: z.string(),
  /** Null outside the built-in registry. */
  folder: z.string().nullable(),
  repository: z.string(),
  tag: z.string(),
});
export type JobDestinationView = z.infer<typeof JobDestinationView>;
