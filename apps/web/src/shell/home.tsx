/** The first page: the overview, or the own jobs for those who pull and push. */
import { Navigate } from 'react-router';
import { useAccount } from '../session/account.ts';
import { startOf } from './start-of.ts';

export function Home() {
  return <Navigate to={startOf(useAccount())} replace />;
}
