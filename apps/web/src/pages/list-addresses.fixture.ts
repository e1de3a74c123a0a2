/**
 * What links, bookmarks and saved filters to lists mean: an address, what the API understands of
 * the request that it leads to, and the address that the page writes. A list that is built in
 * another way keeps all of them.
 */

/** The time that relative conditions begin at. */
export const NOW = Date.parse('2026-11-21T12:00:30Z');

export interface ListAddress {
  address: string;
  /** Besides the defaults of the operation. */
  query: object;
  /** Where it is another one than was read. */
  written?: string;
  /** Whether the list says that a filter leaves something out. */
  isFiltered?: boolean;
  /** What "Save filter…" keeps of it, where that is not all that is written. */
  saved?: string;
}

const DAY = { since: '2026-11-20T12:00:00.000Z' };
/** `own` takes local times. */
const local = (time: string) => new Date(time).toISOString();
const OWN = 'range=own&since=2026-11-01T10%3A00&until=2026-11-02T11%3A30';
const OWN_QUERY = { since: local('2026-11-01T10:00'), until: local('2026-11-02T11:30') };

const RUNNING = ['pull_queued', 'pulling', 'scan_queued', 'scanning', 'push_queued', 'pushing'];
const UNFINISHED = ['partly_failed', 'failed'];

/** By the name of the list. */
export const LIST_ADDRESSES = {
  jobs: [
    { address: '', query: {} },
    { address: 'show=running', query: { status: RUNNING }, isFiltered: true },
    { address: 'show=review', query: { status: ['staged'], blocked: false }, isFiltered: true },
    { address: 'show=blocked', query: { blocked: true }, isFiltered: true },
    { address: 'show=pushed', query: { status: ['pushed'] }, isFiltered: true },
    { address: 'show=failed', query: { status: ['failed'], blocked: false }, isFiltered: true },
    { address: 'show=cancelled', query: { status: ['cancelled'] }, isFiltered: true },
    {
      address: 'show=review&verdict=error&q=nginx&owner=mira&range=day&sort=-image',
      query: {
        ...{ status: ['staged'], blocked: false, verdict: ['error'], q: 'nginx', owner: 'mira' },
        ...DAY,
        sort: '-image',
      },
      isFiltered: true,
    },
    { address: OWN, query: OWN_QUERY, isFiltered: true },
    { address: 'range=own', query: {}, isFiltered: true },
    { address: 'sort=image', query: { sort: 'image' } },
    { address: 'show=all&range=all&sort=-created_at', query: {}, written: '' },
    { address: 'show=toString&verdict=fine&range=never&sort=size&x=1', query: {}, written: '' },
  ],
  transfers: [
    { address: '', query: {} },
    { address: 'state=running', query: { status: ['running'] }, isFiltered: true },
    { address: 'state=done', query: { status: ['done'] }, isFiltered: true },
    { address: 'state=blocked', query: { status: UNFINISHED, blocked: true }, isFiltered: true },
    { address: 'state=failed', query: { status: UNFINISHED, blocked: false }, isFiltered: true },
    { address: 'state=cancelled', query: { status: ['cancelled'] }, isFiltered: true },
    {
      address: 'state=done&q=nginx&owner=ann&range=week&sort=status',
      query: {
        ...{ status: ['done'], q: 'nginx', owner: 'ann', since: '2026-11-14T12:00:00.000Z' },
        sort: 'status',
      },
      isFiltered: true,
    },
    { address: OWN, query: OWN_QUERY, isFiltered: true },
    { address: 'sort=owner', query: { sort: 'owner' } },
    { address: 'state=odd&sort=odd&range=odd', query: {}, written: '' },
  ],
  schedules: [
    { address: '', query: {} },
    { address: 'sort=name', query: { sort: 'name' } },
    { address: 'sort=-next_run', query: { sort: '-next_run' } },
    {
      address: 'q=night',
      query: { q: 'night' },
      isFiltered: true,
    },
    { address: 'sort=cron', query: {}, written: '' },
  ],
  audit: [
    { address: '', query: {} },
    {
      address: 'actor=mira&event=image.pull&q=team%2Fapp%3A1.2&outcome=denied&range=day',
      query: {
        ...{ actor: 'mira', event: 'image.pull', q: 'team/app:1.2', outcome: 'denied' },
        ...DAY,
      },
      isFiltered: true,
    },
    { address: 'q=+app+', query: { q: 'app' }, isFiltered: true },
    { address: 'range=hour', query: { since: '2026-11-21T11:00:00.000Z' }, isFiltered: true },
    { address: 'range=month', query: { since: '2026-10-22T12:00:00.000Z' }, isFiltered: true },
    { address: OWN, query: OWN_QUERY, isFiltered: true },
    { address: 'range=own&since=x', query: {}, isFiltered: true },
    { address: 'bypassed=true', query: { bypassed: 'true' }, isFiltered: true },
    { address: 'outcome=odd&bypassed=1&range=never', query: {}, written: '' },
  ],
  vulnerabilities: [
    { address: '', query: {} },
    { address: 'q=+openssl+', query: { q: 'openssl' }, isFiltered: true },
    {
      address: 'q=ssl&severity=HIGH&fix=fixable&folder=team&new=true&exploited=true&sort=-epss',
      query: {
        ...{ q: 'ssl', severity: 'HIGH', fixable: 'true', folder: 'team', ...DAY, kev: 'true' },
        sort: '-epss',
      },
      isFiltered: true,
    },
    { address: 'fix=unfixable', query: { fixable: 'false' }, isFiltered: true },
    { address: 'sort=id', query: { sort: 'id' } },
    {
      address: 'severity=SEVERE&fix=none&new=1&exploited=yes&sort=cvss',
      query: {},
      written: '',
    },
  ],
  waivers: [
    { address: '', query: {} },
    { address: 'state=all', query: {} },
    { address: 'state=review', query: { reviewable: true } },
    { address: 'state=requested', query: { state: 'requested' } },
    { address: 'state=approved', query: { state: 'approved' } },
    { address: 'state=expired', query: { state: 'expired' } },
    { address: 'state=rejected', query: { state: 'rejected' } },
    { address: 'state=revoked', query: { state: 'revoked' } },
    {
      address:
        'state=expired&q=openssl&folder=team&requester=ann&range=day&ends=week&sort=-state&open=7',
      query: {
        ...{ state: 'expired', q: 'openssl', folder: 'team', requested_by: 'ann', ...DAY },
        ...{ ends_after: '2026-11-21T12:00:00.000Z', ends_before: '2026-11-28T12:00:00.000Z' },
        sort: '-state',
      },
      isFiltered: true,
      saved: 'state=expired&q=openssl&folder=team&requester=ann&range=day&ends=week&sort=-state',
    },
    {
      address: 'ends=month',
      query: { ends_after: '2026-11-21T12:00:00.000Z', ends_before: '2026-12-21T12:00:00.000Z' },
      isFiltered: true,
    },
    {
      address: 'q=+CVE+&requester=+ann+',
      query: { q: 'CVE', requested_by: 'ann' },
      isFiltered: true,
    },
    { address: OWN, query: OWN_QUERY, isFiltered: true },
    { address: 'open=7', query: {}, saved: '' },
    { address: 'state=odd&sort=reason&range=ever&ends=never', query: {}, written: '' },
  ],
  repositories: [
    { address: '', query: {} },
    {
      address: 'q=app&view=list&sort=-size',
      query: { search: 'app', sort: '-size' },
      isFiltered: true,
    },
    {
      address: 'q=app&page=3&open=team&open=team%2Fdeep',
      query: { search: 'app', page: 3 },
      isFiltered: true,
      saved: 'q=app',
    },
    { address: 'open=team&open=team', query: {}, written: 'open=team', saved: '' },
    { address: 'view=cards&sort=color&page=0', query: {}, written: '' },
    { address: 'page=1.5', query: {}, written: '' },
    { address: 'page=99999', query: {}, written: '' },
  ],
  tags: [
    { address: '', query: {} },
    {
      address: 'tag=1.0&q=1.&standing=blocked&sort=-size',
      query: { q: '1.', standing: 'blocked', sort: '-size' },
      isFiltered: true,
      saved: 'q=1.&standing=blocked&sort=-size',
    },
    { address: 'standing=odd&sort=digest', query: {}, written: '' },
  ],
  accounts: [
    { address: '', query: {} },
    {
      address: 'q=ann&sort=-last_login_at',
      query: { q: 'ann', sort: '-last_login_at' },
      isFiltered: true,
    },
    { address: 'sort=email', query: {}, written: '' },
  ],
  folderImages: [
    { address: '', query: {} },
    {
      address: 'standing=blocked&q=app&sort=size&page=2',
      query: { standing: 'blocked', q: 'app', sort: 'size', page: 2 },
      isFiltered: true,
      saved: 'standing=blocked&q=app&sort=size',
    },
    { address: 'q=+app+', query: { q: 'app' }, isFiltered: true },
    { address: 'standing=odd&sort=digest&page=-1', query: {}, written: '' },
  ],
} satisfies Record<string, readonly ListAddress[]>;

export type ListName = keyof typeof LIST_ADDRESSES;
