import type { ImageTag } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { VerdictBadge } from '../../../kit/verdict/verdict-badge.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { ScanButton } from '../standing/scan-button.tsx';
import { TagReason } from '../standing/tag-reason.tsx';
import { TagMenu } from './tag-menu.tsx';

interface TagTableProps {
  place: RepositoryLocation;
  tags: ImageTag[];
  onOpen(tag: string): void;
}

export function TagTable({ place, tags, onOpen }: TagTableProps) {
  const t = useMessages('images');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.tag}</th>
          <th scope="col">{t.verdict}</th>
          <th scope="col">{t.digest}</th>
          <th scope="col" className={table.number}>
            {t.size}
          </th>
          <th scope="col">{t.platforms}</th>
          <th scope="col">{t.updated}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {tags.map((tag) => (
          <TagRow key={tag.tag} place={place} tag={tag} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

interface TagRowProps extends Omit<TagTableProps, 'tags'> {
  tag: ImageTag;
}

function TagRow({ place, tag, onOpen }: TagRowProps) {
  const t = useMessages('images');
  const format = useFormat();
  return (
    <tr>
      <td>
        <button type="button" className={table.name} onClick={() => onOpen(tag.tag)}>
          {tag.tag}
        </button>
      </td>
      <td>
        {tag.verdict === null ? (
          <span className={table.above}>
            <span className={table.quiet}>{t.neverJudged}</span>{' '}
            <ScanButton place={place} image={tag} wasScanned={false} />
          </span>
        ) : (
          <>
            <VerdictBadge verdict={tag.verdict} />
            <TagReason standing={tag.standing} />
          </>
        )}
      </td>
      <td>
        <span className={table.above}>
          <Digest digest={tag.digest} />
        </span>
      </td>
      <td className={`${table.number} ${table.quiet}`}>
        {tag.size !== null && format.bytes(tag.size)}
      </td>
      <td>
        <Platforms platforms={tag.platforms} />
      </td>
      <td className={`${table.quiet} ${table.nowrap}`}>
        {tag.updated_at !== null && <RelativeTime at={tag.updated_at} />}
      </td>
      <td className={table.tools}>
        <span className={table.above}>
          <TagMenu place={place} tag={tag} onOpen={() => onOpen(tag.tag)} />
        </span>
      </td>
    </tr>
  );
}

const FEW = 3;

function Platforms({ platforms }: { platforms: string[] }) {
  const rest = platforms.length - FEW;
  return (
    <span className={classes.platforms} title={platforms.join(', ')}>
      {platforms.slice(0, rest === 1 ? FEW + 1 : FEW).map((platform) => (
        <span key={platform} className={classes.platform}>
          {platform.replace(/^linux\//, '')}
        </span>
      ))}
      {rest > 1 && <span className={classes.platform}>+{rest}</span>}
    </span>
  );
}
