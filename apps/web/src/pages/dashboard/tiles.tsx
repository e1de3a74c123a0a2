/** Shows the key figures. */
import type { DashboardStats } from '@portcullis/contract';
import { type Messages, useMessages, useWords } from '../../i18n/messages.ts';
import { useSampleData } from '../../shell/use-sample-data.ts';
import classes from './dashboard.module.css';

interface Tile {
  name: string;
  figure: string;
  text: string;
}

/** The key figures, each with an explanation. */
export function Tiles({ stats }: { stats: DashboardStats }) {
  return (
    <dl className={classes.tiles}>
      {useTiles(stats).map(({ name, figure, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{figure}</strong>
            <span>{text}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function useTiles({
  repositories,
  tags,
  bytes,
  disk,
  findings,
  scanner,
  accounts,
}: DashboardStats): Tile[] {
  const [t, format] = useWords('dashboard');
  const { sampleData } = useMessages('shell');
  const mark = useSampleData() ? [sampleData.title] : [];
  const found = Object.values(findings.by_severity).reduce((sum, each) => sum + each, 0);
  const images = findings.images_scanned + findings.images_unscanned;
  const tiles: Tile[] = [
    { name: t.repositories, figure: format.number(repositories), text: t.tags(tags) },
    {
      name: t.storage,
      figure: format.bytes(bytes),
      text: disk ? t.free(format.bytes(disk.free), format.bytes(disk.total)) : t.eachOnce,
    },
    {
      name: t.findings,
      figure: format.number(found),
      text:
        found > 0
          ? t.fixable(findings.fixable)
          : images === 0
            ? t.noImages
            : t.scannedOf(findings.images_scanned, images),
    },
    { name: t.scanner, ...scannerTile(scanner, t, format.relative, mark) },
  ];
  if (!accounts) return tiles;
  const text = t.accountsText(accounts.admins, accounts.disabled);
  return [...tiles, { name: t.accounts, figure: format.number(accounts.users), text }];
}

function scannerTile(
  { enabled, available, version, db_age_s }: DashboardStats['scanner'],
  t: Messages['dashboard'],
  relative: (at: string) => string,
  /** What the database is, where it is not a real one. */
  mark: string[],
): Omit<Tile, 'name'> {
  if (!enabled) return { figure: '–', text: t.scannerOff };
  if (!available || db_age_s === null) return { figure: '–', text: t.scannerAway };
  return {
    figure: relative(new Date(Date.now() - db_age_s * 1000).toISOString()),
    text: [...mark, t.scannerUpdated, ...(version ? [`Trivy ${version}`] : [])].join(' · '),
  };
}
