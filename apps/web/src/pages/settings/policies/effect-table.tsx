/** Images that a draft would block or allow. */
import type { PolicyPreview } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';

type Item = PolicyPreview['items'][number];

const MOST_NAMED = 3;

export function EffectTable({ items }: { items: readonly Item[] }) {
  const t = useMessages('policies');
  return (
    <table className={`${table.table} ${table.inner}`}>
      <thead>
        <tr>
          <th scope="col">{t.image}</th>
          <th scope="col">{t.change}</th>
          <th scope="col">{t.why}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={`${item.repository}@${item.digest}`}>
            <td>
              <Link to={`/images/__local__/${item.repository}`} className={table.name}>
                {item.tags[0] === undefined
                  ? item.repository
                  : `${item.repository}:${item.tags[0]}`}
              </Link>
            </td>
            <td>
              <Badge tone={item.change === 'blocked' ? 'critical' : 'good'}>
                {t.changes[item.change]}
              </Badge>
            </td>
            <td className={table.quiet}>
              <Reason item={item} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Reason({ item: { code, findings, findings_total: total } }: { item: Item }) {
  const t = useMessages('policies');
  if (findings.length === 0) return t.codes[code];
  const named = findings
    .slice(0, MOST_NAMED)
    .map(({ vulnerability, package: name }) => `${vulnerability} (${name})`);
  return t.andMore(named.join(', '), total - named.length);
}
