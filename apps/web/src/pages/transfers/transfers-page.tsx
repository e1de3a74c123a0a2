/** Shows the transfers. */
import { Button } from '@mantine/core';
import { IconArrowsTransferUp } from '@tabler/icons-react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useHasRights } from '../../session/no-rights.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { TransferList } from './transfer-list.tsx';

export function Component() {
  const t = useMessages('transfers');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hasRights = useHasRights();
  useShortcut('n', t.create, () => void navigate('/transfers/new'));
  if (search.get('show') === 'schedules') return <ToSchedules search={search} />;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {hasRights && (
          <Button
            component={Link}
            to="/transfers/new"
            leftSection={<IconArrowsTransferUp size={16} />}
          >
            {t.create}
          </Button>
        )}
      </PageHead>
      <TransferList />
    </>
  );
}

/** Bookmarks and saved filters may have the address that schedules had as a part of this page. */
function ToSchedules({ search }: { search: URLSearchParams }) {
  const rest = new URLSearchParams(search);
  rest.delete('show');
  return <Navigate to={{ pathname: '/transfers/schedules', search: String(rest) }} replace />;
}
