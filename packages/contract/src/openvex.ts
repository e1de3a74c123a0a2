/** OpenVEX documents, as in the JSON schema of the OpenVEX specification 0.2.0. */
import { OPENVEX_CONTEXT, VEX_JUSTIFICATIONS, VEX_STATUSES } from '@portcullis/domain';
import { z } from 'zod';
import { Moment } from './common.ts';

const Text = z.string().min(1).max(2_048);
const LongText = z.string().max(10_000);
const MOST_STATEMENTS = 500;
const MOST_PARTS = 500;

const COMPONENT = {
  '@id': Text.optional(),
  identifiers: z
    .strictObject({ purl: Text.optional(), cpe22: Text.optional(), cpe23: Text.optional() })
    .optional(),
  hashes: z.record(z.string().max(20), z.string().max(256)).optional(),
};
const Product = z.strictObject({
  ...COMPONENT,
  subcomponents: z.array(z.strictObject(COMPONENT)).max(MOST_PARTS).optional(),
});

const Statement = z.strictObject({
  '@id': Text.optional(),
  version: z.number().int().min(1).optional(),
  vulnerability: z.strictObject({
    '@id': Text.optional(),
    name: Text,
    description: LongText.optional(),
    aliases: z.array(Text).max(MOST_PARTS).optional(),
  }),
  timestamp: Moment.optional(),
  last_updated: Moment.optional(),
  products: z.array(Product).max(MOST_PARTS).optional(),
  status: z.enum(VEX_STATUSES),
  supplier: Text.optional(),
  status_notes: LongText.optional(),
  justification: z.enum(VEX_JUSTIFICATIONS).optional(),
  impact_statement: LongText.optional(),
  action_statement: LongText.optional(),
  action_statement_timestamp: Moment.optional(),
});

export const OpenVex = z.strictObject({
  '@context': z.literal(OPENVEX_CONTEXT),
  '@id': Text,
  author: Text,
  role: Text.optional(),
  timestamp: Moment,
  last_updated: Moment.optional(),
  version: z.number().int().min(1),
  tooling: Text.optional(),
  statements: z.array(Statement).min(1).max(MOST_STATEMENTS),
});
export type OpenVex = z.infer<typeof OpenVex>;
