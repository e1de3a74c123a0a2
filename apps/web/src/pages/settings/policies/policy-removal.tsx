import type { Policy } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ask, call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';

interface PolicyRemovalProps {
  policy: Pick<Policy, 'id' | 'name'>;
  onClose(): void;
}

export function PolicyRemoval({ policy: { id, name }, onClose }: PolicyRemovalProps) {
  const t = useMessages('policies');
  const notices = useNotices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('policies.removePolicy', { params: { policy_id: id ?? '' } }),
    async onSuccess() {
      notices.done(t.removed(name));
      await navigate('/settings/policies');
      await queries.invalidateQueries(ask('policies.listPolicies'));
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle(name)}
      action={t.remove}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t.removeText}
    </ConfirmDialog>
  );
}
