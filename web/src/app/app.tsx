// Signs in, then shows the shell. Nothing is asked for without a good key but who may be asked.
import { FluentProvider } from '@fluentui/react-components';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Client } from '../api/client';
import { ApiError, UnreachableError } from '../api/errors';
import { type Access, readAccess } from '../api/lapse';
import { Signer } from '../api/signature';
import { ModalKeeper } from '../parts/modal_keeper';
import { ResourceNames } from '../resources/resource_names';
import { ServerTime } from '../time/server_time';
import { Connection } from './connection';
import { Notice } from './notice';
import { type Session, SessionContext } from './session';
import { Shell } from './shell';
import { SignIn } from './sign_in';
import { type ThemeChoice, initialTheme, kDarkTheme, kLightTheme, keepTheme } from './theme';

const kStoredKey = 'lapse.key';
// The key that every emulator of this API has.
const kWellKnownKey = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const kRetryMs = 1_500;

// A client whose key the REST API takes, and who that key is.
async function openSession(key: string, signOut: () => void): Promise<Session> {
  const connection = new Connection();
  const misplaced = new Notice();
  const client = new Client(await Signer.of(key), connection.report, misplaced.tell);
  try {
    await client.rest('GET', []);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      throw new Error(
        'The server does not know this key. Copy all of it; it ends with =. If the clock of this computer is wrong by 15 minutes or more, set it right.',
      );
    }
    throw error;
  }
  const access = await readAccess(client);
  return {
    client,
    access,
    mayWrite: access.key === 'read-write',
    time: new ServerTime(),
    connection,
    misplaced,
    names: new ResourceNames(client),
    signOut,
  };
}

export function App() {
  const [theme, setTheme] = useState<ThemeChoice>(initialTheme);
  const [session, setSession] = useState<Session | null>(null);
  const [offer, setOffer] = useState<Access | null>(null);
  const [reachable, setReachable] = useState(true);
  // Counts the times that the server was found to be away: each begins another wait for it.
  const [waits, setWaits] = useState(0);
  const [storedKey, setStoredKey] = useState(() => sessionStorage.getItem(kStoredKey));

  const signOut = useCallback(() => {
    sessionStorage.removeItem(kStoredKey);
    setStoredKey(null);
    setSession(null);
  }, []);

  const signIn = useCallback(
    async (chosen: string | null) => {
      const key = (chosen ?? kWellKnownKey).trim();
      try {
        const opened = await openSession(key, signOut);
        sessionStorage.setItem(kStoredKey, key);
        setSession(opened);
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        setReachable(false);
        setWaits((old) => old + 1);
      }
    },
    [signOut],
  );

  // Before there is a session: take up the key of this tab, or ask what may be offered; again until the server answers.
  useEffect(() => {
    if (session) return;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        if (storedKey) {
          const opened = await openSession(storedKey, signOut);
          if (!ended) setSession(opened);
          return;
        }
        const access = await readAccess(new Client(null));
        if (ended) return;
        setOffer(access);
        setReachable(true);
      } catch (error) {
        if (ended) return;
        const silent = error instanceof UnreachableError;
        setReachable(!silent);
        if (!silent) return storedKey ? signOut() : undefined;
        timer = setTimeout(() => void look(), kRetryMs);
      }
    };
    void look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [session, storedKey, signOut, waits]);

  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const chooseTheme = useCallback((choice: ThemeChoice) => {
    keepTheme(choice);
    setTheme(choice);
  }, []);

  const page = useMemo(() => {
    if (session) {
      return (
        <SessionContext.Provider value={session}>
          <Shell theme={theme} onTheme={chooseTheme} />
        </SessionContext.Provider>
      );
    }
    return <SignIn offersWellKnownKey={offer?.well_known_key ?? false} reachable={reachable} onSignIn={signIn} />;
  }, [session, theme, chooseTheme, offer, reachable, signIn]);

  return (
    // Fluent copies the class of its provider to every layer above the page: ours is on an element of its own.
    <FluentProvider theme={theme === 'dark' ? kDarkTheme : kLightTheme}>
      <ModalKeeper />
      <div className="app">{page}</div>
    </FluentProvider>
  );
}
