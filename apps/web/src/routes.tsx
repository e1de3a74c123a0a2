/** The routes; each page is a separate chunk. The sidebar is in shell/navigation-items.ts. */
import { createBrowserRouter, type RouteObject } from 'react-router';
import { RouteFault } from './kit/fault/route-fault.tsx';
import { Splash } from './kit/layout/splash.tsx';
import { Component as SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { RequireSession } from './session/require-session.tsx';
import { Home } from './shell/home.tsx';

type Pages = Readonly<Record<string, RouteObject['lazy']>>;

const PAGES: Pages = {
  '/staging': () => import('./pages/staging/jobs-page.tsx'),
  '/staging/new': () => import('./pages/pull/pull-page.tsx'),
  '/staging/:jobId': () => import('./pages/job/job-page.tsx'),
  '/folders': () => import('./pages/folders/folders-page.tsx'),
  '/folders/:folder': () => import('./pages/folders/folder-page.tsx'),
  '/folders/:folder/mirror': () => import('./pages/folders/mirror/mirror-page.tsx'),
  '/images': () => import('./pages/images/images-page.tsx'),
  '/images/:registryId': () => import('./pages/images/images-page.tsx'),
  '/images/:registryId/-/compare': () => import('./pages/images/compare/compare-page.tsx'),
  '/images/:registryId/*': () => import('./pages/images/repository/repository-page.tsx'),
  '/registries': () => import('./pages/registries/registries-page.tsx'),
  '/vulnerabilities': () => import('./pages/vulnerabilities/vulnerabilities-page.tsx'),
  '/vulnerabilities/trends': () => import('./pages/vulnerabilities/trends/trends-page.tsx'),
  '/vulnerabilities/:vulnerabilityId': () =>
    import('./pages/vulnerabilities/vulnerability-page.tsx'),
  '/reviews': () => import('./pages/reviews/reviews-page.tsx'),
  '/waivers': () => import('./pages/waivers/waivers-page.tsx'),
  '/transfers': () => import('./pages/transfers/transfers-page.tsx'),
  '/transfers/new': () => import('./pages/transfers/batch/new-transfer-page.tsx'),
  '/transfers/schedules': () => import('./pages/transfers/schedules/schedules-page.tsx'),
  '/transfers/schedules/new': () => import('./pages/transfers/schedules/schedule-page.tsx'),
  '/transfers/schedules/:scheduleId': () => import('./pages/transfers/schedules/schedule-page.tsx'),
  '/transfers/:transferId': () => import('./pages/transfers/transfer-page.tsx'),
  '/dashboard': () => import('./pages/dashboard/dashboard-page.tsx'),
  '/settings/account': () => import('./pages/settings/account/account-page.tsx'),
  '/settings/robots': () => import('./pages/settings/robots/robots-page.tsx'),
  '*': () => import('./pages/not-found-page.tsx'),
};

/** Of administrators. */
const ADMIN_PAGES: Pages = {
  '/settings/users': () => import('./pages/settings/users/users-page.tsx'),
  '/settings/groups': () => import('./pages/settings/groups/groups-page.tsx'),
  '/settings/folders': () => import('./pages/settings/folders/permissions-page.tsx'),
  '/settings/network': () => import('./pages/settings/network/network-page.tsx'),
  '/settings/webhooks': () => import('./pages/settings/webhooks/webhooks-page.tsx'),
  '/settings/webhooks/:webhookId': () => import('./pages/settings/webhooks/webhook-page.tsx'),
  '/settings/clusters/:name?': () => import('./pages/settings/clusters/clusters-page.tsx'),
  '/settings/sign-on': () => import('./pages/settings/oidc/oidc-page.tsx'),
  '/settings/scan': () => import('./pages/settings/scan/scan-page.tsx'),
  '/settings/authorities': () => import('./pages/settings/authorities/authorities-page.tsx'),
  '/settings/policies': () => import('./pages/settings/policies/policies-page.tsx'),
  '/settings/policies/:policyId': () => import('./pages/settings/policies/policy-page.tsx'),
  '/system': () => import('./pages/system/system-page.tsx'),
  '/audit': () => import('./pages/audit/audit-page.tsx'),
};

const routesOf = (pages: Pages): RouteObject[] =>
  Object.entries(pages).map(([path, lazy]) => ({ path, lazy }));

const signedIn: RouteObject[] = [
  { path: '/', Component: Home },
  ...routesOf(PAGES),
  { lazy: () => import('./session/require-admin.tsx'), children: routesOf(ADMIN_PAGES) },
];

export const router = createBrowserRouter([
  {
    HydrateFallback: Splash,
    ErrorBoundary: RouteFault,
    children: [
      { path: '/login', Component: SignInPage },
      {
        Component: RequireSession,
        children: [{ ErrorBoundary: RouteFault, children: signedIn }],
      },
    ],
  },
]);
