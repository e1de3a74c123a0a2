/** Deletes a policy after a confirmation. */
import type { Policy } from '@portcullis/contract';
import { useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';

interface PolicyRemovalProps {
  policy: Pick<Policy, 'id' | 'name'>;
  onClose(): void;
}

export function PolicyRemoval({ policy: { id, name }, onClose }: PolicyRemovalProps) {
  const t = useMessages('policies');
  const navigate = useNavigate();
  return (
    <RemovalDialog
      name={name}
      words={{ ...t, removeAction: t.remove }}
      run={() => call('policies.removePolicy', { params: { policy_id: id ?? '' } })}
      lists={[keyOf('policies.listPolicies')]}
      onDone={() => navigate('/settings/policies')}
      onClose={onClose}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
