/** The packages of an image; of a long list only the visible rows are in the document. */
import { Anchor } from '@mantine/core';
import type { ImageDetail, ImagePackage } from '@portcullis/contract';
import { useMemo } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { InnerVirtualRows, type RowAttributes } from '../../../kit/virtual/virtual-rows.tsx';
import classes from '../images.module.css';

interface PackageTableProps {
  packages: ImagePackage[];
  layers: ImageDetail['layers'];
  onLayer(digest: string): void;
}

/** Lists up to this length are cheaper whole. */
const MOST_PLAIN_ROWS = 100;
const ROW_HEIGHT = 58;
const COLUMNS = ['auto', '26%', '24%', '90px'] as const;

const keyOfPackage = ({ type, name, version, path }: ImagePackage) =>
  JSON.stringify([type, name, version, path]);

export function PackageTable({ packages, layers, onLayer }: PackageTableProps) {
  const t = useMessages('imagePackages');
  const numbers = useMemo(
    () => new Map(layers.map(({ digest }, at) => [digest, at + 1])),
    [layers],
  );
  const isLong = packages.length > MOST_PLAIN_ROWS;
  const row = (each: ImagePackage, place?: RowAttributes) => (
    <PackageRow
      key={keyOfPackage(each)}
      {...{ each, onLayer, place }}
      number={numbers.get(each.layer)}
    />
  );
  return (
    <table
      className={`${table.table} ${isLong ? table.steady : ''}`}
      aria-rowcount={isLong ? packages.length + 1 : undefined}
    >
      {isLong && (
        <colgroup>
          {COLUMNS.map((width) => (
            <col key={width} style={{ width }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          <th scope="col">{t.package}</th>
          <th scope="col">{t.version}</th>
          <th scope="col">{t.licenses}</th>
          <th scope="col">{t.layer}</th>
        </tr>
      </thead>
      {isLong ? (
        <InnerVirtualRows
          rows={packages}
          keyOf={keyOfPackage}
          columns={COLUMNS.length}
          height={ROW_HEIGHT}
        >
          {(each, { key: _, ...place }) => row(each, place)}
        </InnerVirtualRows>
      ) : (
        <tbody>{packages.map((each) => row(each))}</tbody>
      )}
    </table>
  );
}

interface PackageRowProps {
  each: ImagePackage;
  /** Of its layer, from 1. */
  number: number | undefined;
  place: RowAttributes | undefined;
  onLayer(digest: string): void;
}

function PackageRow({ each, number, place, onLayer }: PackageRowProps) {
  const t = useMessages('imagePackages');
  const format = useFormat();
  const { type, name, version, licenses, path, layer } = each;
  return (
    <tr {...place}>
      <td>
        <strong className={classes.packageName}>{name}</strong>
        <span className={table.under}>{path ?? type}</span>
      </td>
      <td className={classes.packageName} data-label={t.version}>
        {version}
      </td>
      <td className={table.quiet}>{licenses.join(', ')}</td>
      <td className={table.nowrap}>
        {number !== undefined && (
          <Anchor component="button" type="button" size="sm" onClick={() => onLayer(layer)}>
            {t.layerNumber(format.number(number))}
          </Anchor>
        )}
      </td>
    </tr>
  );
}
