/** What an event was about: by its name, a transfer by its source and destination. */
import type { AuditEvent } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { useRegistryName } from '../transfers/transfer-registries.ts';

type Subject = Pick<AuditEvent, 'resource' | 'detail'>;

export function EventResource({ resource, detail }: Subject) {
  const { source, destination, folder } = detail;
  if (!resource?.name) return null;
  if (typeof source !== 'string' || typeof destination !== 'string' || resource.kind !== 'transfer')
    return <span className={table.under}>{resource.name}</span>;
  return <TransferEnds ends={[source, destination]} folder={folder} />;
}

const HUB = 'dockerhub';

function TransferEnds({ ends, folder }: { ends: [string, string]; folder: unknown }) {
  const t = useMessages('transfers');
  const nameOf = useRegistryName();
  const [from, to] = ends.map((id) => nameOf({ registry_id: id === HUB ? null : id, host: id }));
  return (
    <span className={table.under}>
      {t.fromTo(from ?? '', to ?? '')}
      {typeof folder === 'string' && `, ${folder}`}
    </span>
  );
}
