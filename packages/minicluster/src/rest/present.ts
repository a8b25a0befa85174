import { type Clock, JsonLines, type KubeObject } from '@liqo/kube';
import type { Item } from '../store/collection.ts';
import type { ObjectTexts } from '../store/object-texts.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import type { ObjectPage } from './list-objects.ts';
import { type Form, readForm } from './negotiate.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import { type TableOptions, tableOf } from './table.ts';
import type { WatchedEvent } from './watch-objects.ts';

/** Objects in the form a client asked for: as they are, their metadata alone, or as rows of a table. */
export function presentObject(
  clock: Clock,
  resource: Resource,
  request: ApiRequest,
  item: Item,
): ApiAnswer {
  const form = readForm(request);
  const options = { metadata: {}, nowMs: clock.now() };
  const shown = read(resource, item);
  const body =
    form === 'table' ? tableOf(resource, request, [shown], options) : inForm(form, shown);
  return { status: 200, body };
}

function read({ strategy }: Resource, item: Item): Item {
  return strategy.onRead?.(item) ?? item;
}

export function presentList(
  clock: Clock,
  resource: Resource,
  request: ApiRequest,
  { items: stored, metadata }: ObjectPage,
): ApiAnswer {
  const form = readForm(request);
  const page = { items: stored.map((item) => read(resource, item)), metadata };
  if (form === 'table') {
    const options = { metadata: page.metadata, nowMs: clock.now() };
    return { status: 200, body: tableOf(resource, request, page.items, options) };
  }
  if (form === 'metadata') {
    const items = page.items.map((item) => inForm(form, item));
    const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
    return { status: 200, body: { ...list, metadata: page.metadata, items } };
  }
  const { group, version, listKind } = resource;
  const apiVersion = group ? `${group}/${version}` : version;
  const items = isCustom(resource) ? page.items : page.items.map(withoutKind);
  return { status: 200, body: { kind: listKind, apiVersion, metadata: page.metadata, items } };
}

export function presentWatch(
  { clock, store: { texts } }: Pick<ServerParts, 'clock' | 'store'>,
  resource: Resource,
  request: ApiRequest,
  batches: AsyncIterable<readonly WatchedEvent[]>,
): ApiAnswer {
  const form = readForm(request);
  async function* shown(): AsyncGenerator<readonly WatchedEvent[]> {
    let withColumns = true;
    for await (const batch of batches) {
      yield batch.map((event) => {
        const options = { metadata: {}, nowMs: clock.now(), withColumns };
        withColumns = false;
        return eventInForm(resource, request, form, event, options);
      });
    }
  }
  const isAsStored = form === 'object' && !resource.strategy.onRead;
  const events = isAsStored ? batches : shown();
  return { status: 200, stream: new JsonLines(events, (event) => lineOf(texts, event)) };
}

function lineOf(texts: ObjectTexts, { type, object }: WatchedEvent): string {
  return `{"type":"${type}","object":${texts.of(object)}}`;
}

function eventInForm(
  resource: Resource,
  request: ApiRequest,
  form: Form,
  { type, object }: WatchedEvent,
  options: TableOptions,
): WatchedEvent {
  const shown = read(resource, object as Item);
  if (form !== 'table') return { type, object: inForm(form, shown) };
  return { type, object: tableOf(resource, request, [shown], options) };
}

function inForm(form: Form, item: Item): KubeObject {
  if (form !== 'metadata') return item;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: item.metadata };
}

/** The real server leaves kind and version out of the items of its own kinds, and in for custom ones. */
function withoutKind(item: Item): KubeObject {
  const { kind: _, apiVersion: __, ...rest } = item;
  return rest;
}

function isCustom(resource: Resource): boolean {
  return resource.custom === true;
}
