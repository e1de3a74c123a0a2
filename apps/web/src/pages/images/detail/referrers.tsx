/** Signatures, SBOMs and other artifacts that refer to an image. */
import type { ImageDetail } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { DetailTable } from './detail-table.tsx';

type Referrer = ImageDetail['referrers'][number];

export function Referrers({ image: { referrers } }: { image: ImageDetail }) {
  const t = useMessages('images');
  const columns = useColumns();
  return (
    <DetailTable
      title={t.referrers}
      hint={t.referrersHint}
      rows={referrers}
      first="kind"
      parameter="artifact_sort"
      columns={columns}
      keyOf={referrerKey}
    />
  );
}

const referrerKey = ({ digest }: Referrer): string => digest;

const useColumns = defineColumns('images', (t, format): Column<Referrer>[] => [
  { title: t.artifact, sort: 'kind', by: kindOf, cell: kindOf },
  { id: 'digest', title: t.digest, cell: ({ digest }) => <Digest digest={digest} /> },
  {
    title: t.size,
    sort: 'size',
    by: ({ size }) => size,
    descendsFirst: true,
    className: `${table.number} ${table.quiet}`,
    width: '100px',
    cell: ({ size }) => format.bytes(size),
  },
]);

const KINDS: readonly [RegExp, string][] = [
  [/cosign|sigstore|signature|notary/, 'Signature'],
  [/spdx/, 'SBOM (SPDX)'],
  [/cyclonedx/, 'SBOM (CycloneDX)'],
  [/in-toto|slsa/, 'Attestation (in-toto)'],
  [/sarif/, 'SARIF'],
];

function kindOf({ artifact_type, media_type }: Referrer): string {
  const type = artifact_type ?? media_type;
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? type;
}
