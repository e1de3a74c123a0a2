import type { FolderImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { repositoryPath } from '../images/repository-location.ts';
import classes from './folders.module.css';
import { StandingBadge } from './standing-label.tsx';

interface ImageTableProps {
  folder: string;
  images: readonly FolderImage[];
}

export function ImageTable({ folder, images }: ImageTableProps) {
  const t = useMessages('folder');
  return (
    <table className={`${table.table} ${table.inner}`}>
      <thead>
        <tr>
          <th scope="col">{t.image}</th>
          <th scope="col">{t.standing}</th>
          <th scope="col">{t.found}</th>
          <th scope="col" className={table.number}>
            {t.size}
          </th>
        </tr>
      </thead>
      <tbody>
        {images.map((image) => (
          <ImageRow key={`${image.repository}@${image.digest}`} folder={folder} image={image} />
        ))}
      </tbody>
    </table>
  );
}

function ImageRow({ folder, image }: { folder: string; image: FolderImage }) {
  const t = useMessages('folder');
  const format = useFormat();
  const { repository, tags, counts } = image;
  const [tag] = tags;
  const name = folder === ROOT_FOLDER ? repository : repository.slice(folder.length + 1);
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  return (
    <tr>
      <td>
        <Link className={table.name} to={repositoryPath(place, tag)}>
          <LongName>{tag === undefined ? name : `${name}:${tag}`}</LongName>
        </Link>
        <span className={table.under}>
          {image.tag_count > 1 && `${t.moreTags(image.tag_count - 1)} · `}
          <RelativeTime at={image.pushed_at} />
        </span>
      </td>
      <td className={classes.standing}>
        <StandingBadge standing={image.standing} />
        <Reason image={image} />
      </td>
      <td>{counts && <SeverityCountsView counts={counts} />}</td>
      <td className={`${table.number} ${table.quiet}`}>{format.bytes(image.size)}</td>
    </tr>
  );
}

function Reason({ image }: { image: FolderImage }) {
  const words = useMessages('standing');
  const format = useFormat();
  const { blocking, blocking_total: total, standing, since, grace_until: grace } = image;
  if (standing !== 'blocked') return null;
  const [first] = blocking;
  const cause =
    first === undefined
      ? null
      : words.because(total > 1 ? words.andMore(first, format.number(total - 1)) : first);
  const dates = [
    since !== null && words.blockedAlready(format.date(since)),
    grace !== null && words.servedUntil(format.date(grace)),
  ].filter((text) => text !== false);
  return (
    <>
      {cause !== null && <span className={table.under}>{cause}</span>}
      {dates.length > 0 && <span className={table.under}>{dates.join(' · ')}</span>}
    </>
  );
}
