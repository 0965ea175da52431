import type { Field } from '../field';
import { NameResolver } from '../http/names';
import type { NamedList } from '../http/names';
import { captureResult } from '../journal';
import type { SettledResult } from '../journal';
import type { ItemCall, Catalog, Operation } from '../operation';
import { NAME_MODE } from '../panel/locator';
import { sharedOptionDefaults } from '../panel/options';
import { isRecord } from '../values/isRecord';
import { normalizeName } from '../values/normalize';
import { readText } from '../values/texts';
import { runEach } from './each';
import type { NodeParameters } from './parameters';

/** Other executions of n8n get their turn after this many items, even if none of the items needs a request. */
const ITEMS_PER_TURN = 50;

/** Whether a stored parameter is a locator that holds a name. */
const holdsName = (storedValue: unknown): storedValue is { mode: string; value: unknown } =>
	isRecord(storedValue) && storedValue.mode === NAME_MODE && 'value' in storedValue;

/**
 * The parameters of all items, with IDs in place of names. The names are resolved before any item is processed, since locks
 * and shared results depend on the IDs. A name that cannot be resolved fails its own item only.
 */
export class ResolvedParameters {
	private readonly items = new Map<number, Map<string, SettledResult>>();
	private readonly resolver = new NameResolver();
	private readonly fields: Field[];

	constructor(
		parameters: NodeParameters,
		operation: Operation,
		private readonly service: Catalog,
	) {
		const { names = {} } = service;
		const needsResolving = ({ name, options = [] }: Field) => {
			if (name in names) return holdsName(parameters.rawOf(name));
			if (!options.some((option) => option.name in names)) return false;
			const storedValue = parameters.rawOf(name);
			return isRecord(storedValue) && Object.values(storedValue).some(holdsName);
		};
		// A list may belong to a record of another field, and that field may hold a name, too. It is resolved first.
		this.fields = operation.fields
			.filter(needsResolving)
			.sort((a, b) => Number(resolvesLast(names[a.name])) - Number(resolvesLast(names[b.name])));
	}

	/** Resolves the names of all items. An item that an earlier try (n8n's Retry On Fail) has sent keeps the IDs of that try. */
	async resolve(calls: readonly ItemCall[], eventLoopGate: () => Promise<void>): Promise<void> {
		if (this.fields.length === 0) return;
		let resolved = 0;
		await runEach(
			calls.filter(({ journal }) => !journal.hasSent),
			async (call) => {
				const values = new Map<string, SettledResult>();
				this.items.set(call.itemIndex, values);
				for (const field of this.fields) {
					values.set(
						field.name,
						await captureResult(async () => await this.resolveField(field, call)),
					);
				}
				if (++resolved % ITEMS_PER_TURN === 0) await eventLoopGate();
				return [];
			},
			{ concurrency: sharedOptionDefaults.readConcurrency },
		);
	}

	/** Returns a parameter of an item with its names resolved, or throws why they are not. Evaluates other parameters. */
	read(name: string, itemIndex: number, evaluate: () => unknown): unknown {
		const result = this.items.get(itemIndex)?.get(name);
		if (!result) return evaluate();
		if ('error' in result) throw result.error;
		return result.value;
	}

	private async resolveField(field: Field, call: ItemCall): Promise<unknown> {
		const raw = call.parameter(field.name);
		const { names = {} } = this.service;
		const list = names[field.name];
		if (list) return await this.findId(list, field, raw, call);
		if (!isRecord(raw)) return raw;
		const members = { ...raw };
		for (const option of field.options ?? []) {
			const member = members[option.name];
			const listInside = names[option.name];
			if (!listInside || !('type' in option) || !holdsName(member)) continue;
			members[option.name] = await this.findId(listInside, option, member.value, call);
		}
		return members;
	}

	/** Returns the ID for a name. Returns '' for a blank name, which is then treated like a blank ID. */
	private async findId(
		list: NamedList,
		{ displayName }: Field,
		raw: unknown,
		call: ItemCall,
	): Promise<string> {
		const name = readText(raw, displayName) ?? '';
		if (normalizeName(name) === '') return '';
		const { owner } = list;
		const ownerId = owner?.read(
			this.read(owner.field, call.itemIndex, () => call.parameter(owner.field)),
		);
		return await this.resolver.find(call.client, list, name, ownerId);
	}
}

/** Names in collections come last, too: their lists may belong to a record of any other field. */
const resolvesLast = (list: NamedList | undefined) =>
	list === undefined || list.owner !== undefined;
