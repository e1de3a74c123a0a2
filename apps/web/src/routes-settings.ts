/** The routes of settings and operations. Administration pages are wrapped in RequireAdmin. */
import type { RouteObject } from 'react-router';

export const SETTINGS_ROUTES: RouteObject[] = [
  { path: '/dashboard', lazy: () => import('./pages/dashboard/dashboard-page.tsx') },
  { path: '/settings/account', lazy: () => import('./pages/settings/account/account-page.tsx') },
  { path: '/settings/robots', lazy: () => import('./pages/settings/robots/robots-page.tsx') },
  {
    lazy: () => import('./session/require-admin.tsx'),
    children: [
      { path: '/settings/users', lazy: () => import('./pages/settings/users/users-page.tsx') },
      { path: '/settings/groups', lazy: () => import('./pages/settings/groups/groups-page.tsx') },
      {
        path: '/settings/folders',
        lazy: () => import('./pages/settings/folders/permissions-page.tsx'),
      },
      {
        path: '/settings/network',
        lazy: () => import('./pages/settings/network/network-page.tsx'),
      },
      {
        path: '/settings/webhooks',
        lazy: () => import('./pages/settings/webhooks/webhooks-page.tsx'),
      },
      {
        path: '/settings/webhooks/:webhookId',
        lazy: () => import('./pages/settings/webhooks/webhook-page.tsx'),
      },
      { path: '/settings/sign-on', lazy: () => import('./pages/settings/oidc/oidc-page.tsx') },
      { path: '/settings/scan', lazy: () => import('./pages/settings/scan/scan-page.tsx') },
      {
        path: '/settings/policies',
        lazy: () => import('./pages/settings/policies/policies-page.tsx'),
      },
      {
        path: '/settings/policies/:policyId',
        lazy: () => import('./pages/settings/policies/policy-page.tsx'),
      },
      { path: '/system', lazy: () => import('./pages/system/system-page.tsx') },
      { path: '/audit', lazy: () => import('./pages/audit/audit-page.tsx') },
    ],
  },
];
