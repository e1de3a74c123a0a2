/** The vulnerabilities that no image had before, those that need a decision first on top. */
import { Button } from '@mantine/core';
import type { GateChanges } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { type Column, defineColumns, quiet, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';
import { SeverityBadge } from '../../kit/verdict/severity-badge.tsx';
import { Probability } from '../vulnerabilities/threat-badges.tsx';
import classes from './dashboard.module.css';
import { firstOfNew, type NamedVulnerability } from './new-since.ts';

/** The list of the same ones. */
const ALL_NEW = '/vulnerabilities?new=true';
const EPSS = 'EPSS';

type Given = Pick<GateChanges, 'vulnerabilities' | 'vulnerabilities_total'>;

export function NewVulnerabilities({ vulnerabilities, vulnerabilities_total: total }: Given) {
  const t = useMessages('dashboard');
  const shown = firstOfNew(vulnerabilities);
  const columns = useColumns(shown.some(({ epss }) => epss !== null));
  if (shown.length === 0) return null;
  return (
    <>
      <DataTable rows={shown} columns={columns} keyOf={idOf} className={table.inner} />
      {total > shown.length && (
        <div className={classes.foot}>
          <Button component={Link} to={ALL_NEW} variant="subtle" size="compact-sm">
            {t.moreNew(total - shown.length)}
          </Button>
        </div>
      )}
    </>
  );
}

const idOf = ({ vulnerability }: NamedVulnerability) => vulnerability;

const useColumns = defineColumns(
  'dashboard',
  (t, format, withScores: boolean): Column<NamedVulnerability>[] => [
    {
      id: 'vulnerability',
      title: t.newVulnerabilities,
      cell: ({ vulnerability }) => (
        <RowName to={`/vulnerabilities/${encodeURIComponent(vulnerability)}`}>
          {vulnerability}
        </RowName>
      ),
    },
    {
      id: 'severity',
      title: t.severity,
      cell: ({ severity, kev }) => (
        <span className={table.badges}>
          {kev === true && <ExploitedBadge />}
          <SeverityBadge severity={severity} />
        </span>
      ),
    },
    ...(withScores
      ? [
          quiet<NamedVulnerability>({
            id: 'epss',
            title: EPSS,
            cell: ({ epss }) => epss !== null && <Probability epss={epss} />,
          }),
        ]
      : []),
    quiet({ id: 'images', title: t.images, cell: ({ images }) => format.number(images) }),
  ],
);
