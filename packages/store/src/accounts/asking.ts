/** SQL of who asks about the images of a folder, for queries over `folder_grants g`. */
import { Prisma } from '../database.ts';

/** `letsAsk` of the domain as SQL: in a mirror, to which no client pushes, who brings images in. */
export const LETS_ASK = Prisma.sql`
  (g.can_push
   OR (g.can_pull_external AND EXISTS (SELECT 1 FROM mirrors x WHERE x.folder_id = g.folder_id)))`;
