// What every page needs: a client with a good key, who that key is, and the server's time.
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from '../api/client';
import type { Access } from '../api/lapse';
import type { ServerTime } from '../time/server_time';
import type { Connection } from './connection';
import type { Notice } from './notice';
import type { ResourceNames } from '../resources/resource_names';

export interface Session {
  client: Client;
  access: Access;
  // A read-only key: the page then offers no change.
  mayWrite: boolean;
  time: ServerTime;
  connection: Connection;
  // Told when an answer shows that a container is gone, or is another one than before.
  misplaced: Notice;
  names: ResourceNames;
  signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession outside of a session');
  return session;
}

// Counts how often the server came back. Pages ask anew when it changes.
export function useReconnects(): number {
  const { connection } = useSession();
  return useSyncExternalStore(connection.subscribe, () => connection.reconnects);
}
