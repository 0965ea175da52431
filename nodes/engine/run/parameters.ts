import type { IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';

import { isTool } from '../n8n/toolVariants';
import { isRecord } from '../values/convert';
import { READS_LOCALLY } from './localReading';
import { holdsExpression, readerOf, UNRESOLVED } from './references';
import type { ReferenceReader } from './references';

/** Stands for a field that the user does not see, because another field hides it. */
export const HIDDEN = Symbol('hidden');

/** What is known of a parameter, whatever the item. */
interface ParameterInfo {
	raw: unknown;
	/** What it comes to for every item. */
	fixed?: { value: unknown };
	/** What it comes to by the data of an item; not used before n8n came to the same for one. */
	read?: ReferenceReader;
	agreesWithN8n?: boolean;
}

/**
 * The parameters of the node for each item. n8n searches all properties of a node for every value that it is asked for, and
 * builds a world for every expression, which costs more than all else that is done for an item here. So what holds no
 * expression is asked for once, and what merely points at the data of the item is looked up there.
 */
export class Parameters {
	private readonly infos = new Map<string, ParameterInfo>();
	private readonly items;

	constructor(private readonly context: IExecuteFunctions) {
		// What an agent calls a tool with is not what expressions see.
		this.items = isTool(context.getNode()) ? undefined : context.getInputData();
	}

	/** The value of a parameter for one item, which nobody else can change. */
	get(
		name: string,
		itemIndex: number,
		options: IGetNodeParameterOptions = { extractValue: true },
	): unknown {
		const info = this.infos.get(name) ?? this.inspect(name, options);
		if (!READS_LOCALLY) return this.evaluate(info, name, itemIndex, options);
		if (info.fixed) return copy(info.fixed.value);
		const json = this.items?.[itemIndex]?.json;
		const local =
			json && info.agreesWithN8n !== false ? (info.read?.(json) ?? UNRESOLVED) : UNRESOLVED;
		if (local !== UNRESOLVED && info.agreesWithN8n) return local;
		const value = this.evaluate(info, name, itemIndex, options);
		if (local !== UNRESOLVED) info.agreesWithN8n = isSame(local, value);
		if (!holdsExpression(info.raw) && isCopyable(value, info.raw)) {
			info.fixed = { value: copy(value) };
		}
		return value;
	}

	/** Whether a parameter holds anything, if only an expression; false where the field is hidden. */
	isFilled(name: string): boolean {
		const { raw } = this.infos.get(name) ?? this.inspect(name, { extractValue: true });
		const value = isRecord(raw) && raw.__rl === true ? raw.value : raw;
		return value !== undefined && value !== null && value !== '';
	}

	/** The value by n8n, which gives a hidden field none, and throws when asked for one. */
	private evaluate(
		{ raw }: ParameterInfo,
		name: string,
		itemIndex: number,
		options: IGetNodeParameterOptions,
	): unknown {
		return raw === null
			? HIDDEN
			: this.context.getNodeParameter(name, itemIndex, undefined, options);
	}

	private inspect(name: string, { extractValue }: IGetNodeParameterOptions): ParameterInfo {
		const raw: unknown = this.context.getNodeParameter(name, 0, null, { rawExpressions: true });
		const picked = extractValue && isRecord(raw) && raw.__rl === true ? raw.value : raw;
		const info = { raw, read: holdsExpression(raw) ? readerOf(picked) : undefined };
		this.infos.set(name, info);
		return info;
	}
}

const copy = (value: unknown): unknown => (isRecord(value) ? { ...value } : value);

const isPrimitive = (value: unknown) => typeof value !== 'object' || value === null;

const isSame = (one: unknown, other: unknown) =>
	isPrimitive(one) ? one === other : JSON.stringify(one) === JSON.stringify(other);

/** Whether a copy is as good as the value and shares nothing with it. What n8n made an object of, such as a date, has more to it. */
const isCopyable = (value: unknown, raw: unknown) =>
	isPrimitive(value) ||
	(isRecord(value) && isRecord(raw) && Object.values(value).every(isPrimitive));
