/** Waivers in force → OpenVEX document. */
import type { Waiver } from '../waivers/waiver.ts';
import {
  OPENVEX_CONTEXT,
  type VexDocument,
  type VexProduct,
  type VexStatement,
} from './openvex.ts';
import { type ImageLocation, imagePackageUrl } from './package-url.ts';

/** A waiver with the images that it covers now, and the covered packages of each. */
export interface CoveringWaiver {
  waiver: Waiver;
  images: readonly { location: ImageLocation; packageUrls: readonly string[] }[];
}

/** Waivers that cover no image have no product, and are left out. */
export function vexOf(
  covering: readonly CoveringWaiver[],
  { id, author, tooling, now }: { id: string; author: string; tooling: string; now: Date },
): VexDocument {
  return {
    '@context': OPENVEX_CONTEXT,
    '@id': id,
    author,
    timestamp: now.toISOString(),
    version: 1,
    tooling,
    statements: covering.filter(({ images }) => images.length > 0).map(statementOf),
  };
}

function statementOf({ waiver, images }: CoveringWaiver): VexStatement {
  return {
    vulnerability: { name: waiver.vulnerability },
    timestamp: (waiver.approvals.at(-1)?.at ?? waiver.createdAt).toISOString(),
    products: images.map(productOf),
    ...judgementOf(waiver),
  };
}

function productOf({ location, packageUrls }: CoveringWaiver['images'][number]): VexProduct {
  const purl = imagePackageUrl(location);
  const [algorithm, hex = ''] = location.digest.split(':');
  return {
    '@id': purl,
    identifiers: { purl },
    ...(algorithm === 'sha256' && { hashes: { 'sha-256': hex } }),
    ...(packageUrls.length > 0 && {
      subcomponents: packageUrls.map((url) => ({ '@id': url, identifiers: { purl: url } })),
    }),
  };
}

/** A person accepted the risk of what is affected; the document does not call that harmless. */
function judgementOf({
  status,
  justification,
  reason,
  expiresAt,
}: Waiver): Omit<VexStatement, 'vulnerability' | 'timestamp' | 'products'> {
  if (status === 'not_affected')
    return { status, ...(justification && { justification }), impact_statement: reason };
  const what = status === 'accepted' ? 'Accepted' : 'A fix is planned; accepted';
  return {
    status: 'affected',
    action_statement: `${what} until ${expiresAt.toISOString()}: ${reason}`,
  };
}
