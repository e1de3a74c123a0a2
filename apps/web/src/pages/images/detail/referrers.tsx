import type { ImageDetail } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { SectionTitle } from './section-title.tsx';

export function Referrers({ image: { referrers } }: { image: ImageDetail }) {
  const t = useMessages('images');
  const format = useFormat();
  if (referrers.length === 0) return null;
  return (
    <section>
      <SectionTitle hint={t.referrersHint}>{t.referrers}</SectionTitle>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t.artifact}</th>
            <th scope="col">{t.digest}</th>
            <th scope="col" className={table.number}>
              {t.size}
            </th>
          </tr>
        </thead>
        <tbody>
          {referrers.map(({ digest, artifact_type, media_type, size }) => (
            <tr key={digest}>
              <td>{kindName(artifact_type ?? media_type)}</td>
              <td>
                <Digest digest={digest} />
              </td>
              <td className={`${table.number} ${table.quiet}`}>{format.bytes(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const KINDS: readonly [RegExp, string][] = [
  [/cosign|sigstore|signature|notary/, 'Signature'],
  [/spdx/, 'SBOM (SPDX)'],
  [/cyclonedx/, 'SBOM (CycloneDX)'],
  [/in-toto|slsa/, 'Attestation (in-toto)'],
  [/sarif/, 'SARIF'],
];

function kindName(type: string): string {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? type;
}
