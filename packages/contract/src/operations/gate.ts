/** The gate of the built-in registry, explained. */
import { GATE_DOORS } from '@portcullis/domain';
import { z } from 'zod';
import { GateDecision } from '../gate-decision.ts';
import { Repository, TagOrDigest } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { REGISTRY_DOWN } from './registries.ts';

export const gate = {
  explainGate: {
    method: 'get',
    path: '/gate/explain',
    summary:
      'What a door of the gate decides about an image now, and every step; for another account only as an administrator',
    access: 'user',
    query: z.strictObject({
      /** What the image leaves or enters. */
      repository: Repository,
      reference: TagOrDigest,
      door: z.enum(GATE_DOORS).default('pull'),
      /** The name of the account that uses the door; the caller by default. */
      account: z.string().trim().min(1).max(255).optional(),
      /** The repository that has the image, where `repository` does not yet. */
      from: Repository.optional(),
    }),
    success: { status: 200, body: GateDecision },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN', 'ADMIN_ONLY'] },
      { status: 404, codes: ['IMAGE_UNKNOWN', 'USER_UNKNOWN'] },
      REGISTRY_DOWN,
    ],
  },
} as const satisfies Contract;
