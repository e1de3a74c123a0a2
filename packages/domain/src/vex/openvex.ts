/** OpenVEX documents, as in the OpenVEX specification 0.2.0. */
import type { VexJustification } from '../waivers/waiver.ts';

export const OPENVEX_CONTEXT = 'https://openvex.dev/ns/v0.2.0';
export const OPENVEX_MEDIA_TYPE = 'application/vnd.openvex+json';
export const VEX_STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const;
type VexStatus = (typeof VEX_STATUSES)[number];

/** Fields that we do not use are accepted and not kept. */
export interface VexComponent {
  '@id'?: string | undefined;
  identifiers?: { purl?: string | undefined } | undefined;
  hashes?: Readonly<Record<string, string>> | undefined;
}

export interface VexProduct extends VexComponent {
  subcomponents?: readonly VexComponent[] | undefined;
}

export interface VexStatement {
  vulnerability: { name: string; aliases?: readonly string[] | undefined };
  timestamp?: string | undefined;
  products?: readonly VexProduct[] | undefined;
  status: VexStatus;
  status_notes?: string | undefined;
  justification?: VexJustification | undefined;
  impact_statement?: string | undefined;
  action_statement?: string | undefined;
}

export interface VexDocument {
  '@context': typeof OPENVEX_CONTEXT;
  '@id': string;
  author: string;
  timestamp: string;
  version: number;
  tooling?: string | undefined;
  statements: readonly VexStatement[];
}
