/** The routes; each page is a separate chunk. The sidebar is in shell/navigation-items.ts. */
import { createBrowserRouter } from 'react-router';
import { RouteFault } from './kit/fault/route-fault.tsx';
import { Splash } from './kit/layout/splash.tsx';
import { Component as SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { SETTINGS_ROUTES } from './routes-settings.ts';
import { RequireSession } from './session/require-session.tsx';
import { Home } from './shell/home.tsx';

export const router = createBrowserRouter([
  {
    HydrateFallback: Splash,
    ErrorBoundary: RouteFault,
    children: [
      { path: '/login', Component: SignInPage },
      {
        Component: RequireSession,
        children: [
          {
            ErrorBoundary: RouteFault,
            children: [
              { path: '/', Component: Home },
              { path: '/staging', lazy: () => import('./pages/staging/jobs-page.tsx') },
              { path: '/staging/new', lazy: () => import('./pages/pull/pull-page.tsx') },
              { path: '/staging/:jobId', lazy: () => import('./pages/job/job-page.tsx') },
              { path: '/folders', lazy: () => import('./pages/folders/folders-page.tsx') },
              { path: '/folders/:folder', lazy: () => import('./pages/folders/folder-page.tsx') },
              { path: '/images', lazy: () => import('./pages/images/images-page.tsx') },
              { path: '/images/:registryId', lazy: () => import('./pages/images/images-page.tsx') },
              {
                path: '/images/:registryId/-/compare',
                lazy: () => import('./pages/images/compare/compare-page.tsx'),
              },
              {
                path: '/images/:registryId/*',
                lazy: () => import('./pages/images/repository/repository-page.tsx'),
              },
              { path: '/registries', lazy: () => import('./pages/registries/registries-page.tsx') },
              {
                path: '/vulnerabilities',
                lazy: () => import('./pages/vulnerabilities/vulnerabilities-page.tsx'),
              },
              {
                path: '/vulnerabilities/:vulnerabilityId',
                lazy: () => import('./pages/vulnerabilities/vulnerability-page.tsx'),
              },
              { path: '/waivers', lazy: () => import('./pages/waivers/waivers-page.tsx') },
              { path: '/transfers', lazy: () => import('./pages/transfers/transfers-page.tsx') },
              {
                path: '/transfers/new',
                lazy: () => import('./pages/transfers/batch/new-transfer-page.tsx'),
              },
              {
                path: '/transfers/schedules/new',
                lazy: () => import('./pages/transfers/schedules/schedule-page.tsx'),
              },
              {
                path: '/transfers/schedules/:scheduleId',
                lazy: () => import('./pages/transfers/schedules/schedule-page.tsx'),
              },
              {
                path: '/transfers/:transferId',
                lazy: () => import('./pages/transfers/transfer-page.tsx'),
              },
              ...SETTINGS_ROUTES,
              { path: '*', lazy: () => import('./pages/not-found-page.tsx') },
            ],
          },
        ],
      },
    ],
  },
]);
