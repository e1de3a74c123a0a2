/** The images that have a vulnerability, with what covers it. */
import type { VulnerableImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { Digest } from '../../kit/text/digest.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { repositoryPath } from '../images/repository-location.ts';

export function VulnerableImages({ images }: { images: VulnerableImage[] }) {
  const t = useMessages('vulnerabilities');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.image}</th>
          <th scope="col">{t.package}</th>
          <th scope="col">{t.verdict}</th>
        </tr>
      </thead>
      <tbody>
        {images.map((each) => (
          <Row
            key={[each.repository, each.digest, each.package, each.installed_version].join(' ')}
            image={each}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({ image }: { image: VulnerableImage }) {
  const t = useMessages('vulnerabilities');
  const format = useFormat();
  const { repository, tags, tag_count: tagCount, fixed_version: fixed, verdict, waivers } = image;
  const [tag] = tags;
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  const approvers = (names: readonly (string | null)[]) =>
    format.list(names.map((name) => name ?? t.removedAccount));
  return (
    <tr>
      <td>
        <Link className={table.name} to={repositoryPath(place, tag)}>
          <LongName>{tag === undefined ? repository : `${repository}:${tag}`}</LongName>
        </Link>
        <span className={table.under}>
          {tagCount > 1 && `${t.moreTags(tagCount - 1)} · `}
          <span className={table.above}>
            <Digest digest={image.digest} />
          </span>
        </span>
      </td>
      <td className={table.quiet}>
        {image.package} {image.installed_version}
        <span className={table.under}>{fixed === null ? t.noFix : t.fixedIn(fixed)}</span>
      </td>
      <td>
        {verdict !== null && <VerdictBadge verdict={verdict} />}
        {waivers.map(({ id, approved_by, expires_at }) => (
          <span key={id} className={table.under}>
            {t.allowedBy(approvers(approved_by), format.date(expires_at))}
          </span>
        ))}
      </td>
    </tr>
  );
}
