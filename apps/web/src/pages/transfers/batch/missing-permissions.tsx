/** Says which permissions a transfer between two registries lacks, and whom to ask. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import { PermissionAlert } from '../../../session/permission-alert.tsx';
import classes from '../transfers.module.css';
import type { BatchForm } from './batch-form.ts';

export function MissingPermissions({ from, to }: Pick<BatchForm, 'from' | 'to'>) {
  const t = useMessages('batch');
  const { pull_external: mayPull, push_external: mayPush } = useAccount().capabilities;
  const { data: pushable } = useQuery(ask('folders.listPushable'));
  const toLocal = to === LOCAL_REGISTRY_ID;
  const texts = [
    ...(from === LOCAL_REGISTRY_ID || mayPull ? [] : [t.mayNotPull]),
    ...(toLocal || mayPush ? [] : [t.mayNotPush]),
    ...(toLocal && pushable?.length === 0 ? [t.noPushable] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <div className={classes.missing}>
      <PermissionAlert>
        {texts.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </PermissionAlert>
    </div>
  );
}
