// What is around every page: header, resources, the bar of the test clock, and what is said when the server is away.
import { Badge, Button, MessageBar, MessageBarBody, Spinner, ToggleButton, Tooltip } from '@fluentui/react-components';
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out';
import { WeatherMoonRegular } from '@fluentui/react-icons/svg/weather-moon';
import { WeatherSunnyRegular } from '@fluentui/react-icons/svg/weather-sunny';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { ClockBar } from '../clock/clock_bar';
import { StoreClock } from '../clock/store_clock';
import { useClockReading } from '../clock/use_clock_reading';
import { Mark } from '../parts/icons';
import { lazily } from '../parts/lazily';
import { PageBoundary } from '../parts/page_boundary';
import { ResourceTree } from '../resources/resource_tree';
import { hashOf, titleOf, useRoute } from './router';
import { useReconnects, useSession } from './session';
import type { ThemeChoice } from './theme';

const OverviewPage = lazily(() => import('../overview/overview_page'));
const DatabasePage = lazily(() => import('../resources/database_page'));
const ContainerPage = lazily(() => import('../resources/container_page'));

export function Shell({ theme, onTheme }: { theme: ThemeChoice; onTheme: (choice: ThemeChoice) => void }) {
  const { access, mayWrite, connection, names, signOut } = useSession();
  const route = useRoute();
  const lost = useSyncExternalStore(connection.subscribe, () => connection.lost);
  const reconnects = useReconnects();
  const [clockOpen, setClockOpen] = useState(false);
  const [treeOpen, setTreeOpen] = useState(false);
  const here = hashOf(route);
  useClockReading();

  useEffect(() => void names.refresh(), [names, reconnects]);
  useEffect(() => {
    document.title = titleOf(route);
  });
  // On a narrow window the tree covers the page: it goes when a page was chosen.
  useEffect(() => setTreeOpen(false), [here]);

  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <div className="shell">
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the page
      </a>
      <header className="top-bar">
        <Button
          className="narrow-only"
          appearance="subtle"
          icon={<NavigationRegular />}
          aria-label="Resources"
          aria-expanded={treeOpen}
          onClick={() => setTreeOpen(!treeOpen)}
        />
        <a className="brand" href="#/" aria-label="Lapse">
          <Mark />
          <span>Lapse</span>
        </a>
        <span className="top-host" title={`Version ${access.version}`}>
          {location.host}
        </span>
        <span className="grow" />
        <StoreClock />
        {access.test_clock && mayWrite && (
          <ToggleButton
            size="small"
            appearance="subtle"
            icon={<BeakerRegular />}
            checked={clockOpen}
            onClick={() => setClockOpen(!clockOpen)}
          >
            Test clock
          </ToggleButton>
        )}
        {!mayWrite && (
          <Tooltip content="This key may read and may not change anything" relationship="description">
            <Badge appearance="tint" color="warning" tabIndex={0}>
              Read-only
            </Badge>
          </Tooltip>
        )}
        <Tooltip content={`Switch to ${other}`} relationship="label">
          <Button
            appearance="subtle"
            icon={theme === 'dark' ? <WeatherSunnyRegular /> : <WeatherMoonRegular />}
            onClick={() => onTheme(other)}
          />
        </Tooltip>
        <Tooltip content="Sign out: forget the key" relationship="label">
          <Button appearance="subtle" icon={<SignOutRegular />} onClick={signOut} />
        </Tooltip>
      </header>
      {clockOpen && <ClockBar />}
      <div role="status" aria-live="polite">
        {lost && (
          <MessageBar intent="warning" shape="square">
            <MessageBarBody>
              <strong>The server does not answer.</strong> The page asks again every few seconds. What you see is from
              before.
            </MessageBarBody>
          </MessageBar>
        )}
      </div>
      <div className="below">
        <nav className={`side ${treeOpen ? 'side-open' : ''}`} aria-label="Resources">
          <ResourceTree route={route} />
        </nav>
        <main id="main" className="main" tabIndex={-1}>
          <PageBoundary place={here}>
            <Suspense fallback={<Spinner className="page-spinner" label="Loading the page" />}>
              {route.page === 'overview' && <OverviewPage />}
              {route.page === 'database' && <DatabasePage key={route.database} database={route.database} />}
              {route.page === 'container' && (
                <ContainerPage
                  key={`${route.database}\n${route.container}`}
                  database={route.database}
                  container={route.container}
                  tab={route.tab}
                />
              )}
            </Suspense>
          </PageBoundary>
        </main>
      </div>
    </div>
  );
}
