/** The first page: what needs attention for an administrator, the own jobs for others. */
import { Navigate } from 'react-router';
import { useAccount } from '../session/account.ts';

export function Home() {
  const { is_admin } = useAccount();
  return <Navigate to={is_admin ? '/dashboard' : '/staging'} replace />;
}
