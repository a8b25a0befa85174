import { Client, ConfigMap, InProcessTransport, type ObjectOf } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import {
  type ApiCall,
  FaultScript,
  FaultyCalls,
  isList,
  isWatch,
  ListWatchServer,
} from '@liqo/testkit/faults';
import { type Informer, type InformerOptions, startInformer } from '../cache/informer.ts';
import { createLogger, type Logger } from '../log/log.ts';

export type Config = ObjectOf<typeof ConfigMap>;

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A collection of ConfigMaps on a server in the process, time that stands still, and a log that can be read. */
export class ListWatchWorld {
  readonly clock = new VirtualClock();
  readonly random = seededRandom(1);
  readonly server = new ListWatchServer(ConfigMap);
  /** What goes wrong with the next calls. */
  readonly script = new FaultScript();
  /** Everything that was asked, in order. */
  readonly calls: readonly ApiCall[];
  readonly client: Client;
  readonly logLines: LogLine[] = [];
  readonly log: Logger;

  constructor() {
    const { clock, random } = this;
    const faults = new FaultyCalls({ clock, plan: this.script.plan });
    this.calls = faults.calls;
    const transport = new InProcessTransport(faults.before(this.server.serve, 'client'));
    this.client = new Client({ transport, clock, random });
    const destination = { write: (line: string) => this.logLines.push(JSON.parse(line)) };
    this.log = createLogger({ level: 'debug', destination, clock });
  }

  /** `shop/web` with the given data. */
  put(key: string, value = '', metadata: Config['metadata'] = {}) {
    const [namespace = '', name = ''] = key.split('/');
    return this.server.put({ metadata: { ...metadata, namespace, name }, data: { value } });
  }

  remove(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    this.server.remove({ namespace, name });
  }

  startInformer<I extends string = never>(
    options: Partial<InformerOptions<Config, I>> = {},
  ): Informer<Config, I> {
    const { client, clock, random, log } = this;
    return startInformer({ client, kind: ConfigMap, clock, random, log, ...options });
  }

  /** An informer that has listed and now watches. */
  async startWatching<I extends string = never>(
    options: Partial<InformerOptions<Config, I>> = {},
  ): Promise<Informer<Config, I>> {
    const informer = this.startInformer(options);
    await this.clock.settle();
    return informer;
  }

  /** How many lists, pages of one list counted once, and how many watches were asked for. */
  get asked(): { readonly lists: number; readonly watches: number } {
    const pages = this.calls.filter(isList);
    const lists = pages.filter(({ path }) => !path.includes('continue='));
    return { lists: lists.length, watches: this.calls.filter(isWatch).length };
  }

  linesOf(level: string): readonly string[] {
    return this.logLines.filter((line) => line.level === level).map((line) => line.msg);
  }
}

/** Everything that an informer tells, as words: `add shop/web=1 (initial)`. */
export function listen(informer: Informer<Config, string>): string[] {
  const heard: string[] = [];
  informer.subscribe({
    onAdd: (object, isInitialList) =>
      heard.push(`add ${describe(object)}${isInitialList ? ' (initial)' : ''}`),
    onUpdate: (before, after) => heard.push(`update ${describe(before)} to ${describe(after)}`),
    onDelete: (lastKnown) => heard.push(`delete ${describe(lastKnown)}`),
  });
  return heard;
}

export function describe(object: Config): string {
  return `${object.metadata?.namespace}/${object.metadata?.name}=${object.data?.value}`;
}
