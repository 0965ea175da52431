import type { IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';

import { isTool } from '../n8n/toolVariants';
import { isRecord } from '../values/isRecord';
import { EVALUATES_LOCALLY } from './localEvaluation';
import { holdsExpression, readerOf, UNRESOLVED } from './references';
import type { ReferenceReader } from './references';

/** Value of a parameter that the node does not have, or that the panel hides because of another parameter's value. */
export const HIDDEN = Symbol('hidden');

/** Data about a parameter that applies to all items. */
interface ParameterInfo {
	raw: unknown;
	/** The value for every item. Set once n8n has evaluated a parameter without expressions. */
	fixed?: { value: unknown };
	/** Reads the value from an item's data. Replaces n8n's evaluation once both have returned the same value for an item. */
	read?: ReferenceReader;
	/** Whether `read` and n8n returned the same value when last compared; undefined before the first comparison. */
	agreesWithN8n?: boolean;
}

/**
 * Evaluates the node's parameters for each item. n8n 2.41.1 searches all properties of the node for every call of
 * `getNodeParameter`, and creates a WorkflowDataProxy for every expression (n8n-workflow, workflow-expression.js, 2.41.1);
 * this takes longer than all other work of the pack on an item. A parameter without expressions is therefore evaluated once,
 * and a plain reference to the item's data is read from the item.
 */
export class NodeParameters {
	private readonly infos = new Map<string, ParameterInfo>();
	private readonly items;

	constructor(private readonly context: IExecuteFunctions) {
		// In a tool, the input data holds the agent's arguments, but n8n 2.41.1 resolves `$json` from another item. No
		// parameter of a tool is therefore read from the input data.
		this.items = isTool(context.getNode()) ? undefined : context.getInputData();
	}

	/** Returns the value of a parameter for one item. Objects are copies, so the caller may change them. */
	get(
		name: string,
		itemIndex: number,
		options: IGetNodeParameterOptions = { extractValue: true },
	): unknown {
		const info = this.infos.get(name) ?? this.inspect(name, options);
		if (!EVALUATES_LOCALLY) return this.evaluate(info, name, itemIndex, options);
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

	/** Returns a parameter as the workflow stores it, with its expressions. Returns null if the parameter is hidden. */
	rawOf(name: string): unknown {
		return (this.infos.get(name) ?? this.inspect(name, { extractValue: true })).raw;
	}

	/** Whether a parameter holds a value or an expression, even one that returns nothing. False if it is hidden. */
	isFilled(name: string): boolean {
		const raw = this.rawOf(name);
		const value = isRecord(raw) && raw.__rl === true ? raw.value : raw;
		return value !== undefined && value !== null && value !== '';
	}

	/** Returns n8n's value. A hidden parameter (raw value null) is not evaluated, because n8n 2.41.1 would throw. */
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
		const rawValue = extractValue && isRecord(raw) && raw.__rl === true ? raw.value : raw;
		const info = { raw, read: holdsExpression(raw) ? readerOf(rawValue) : undefined };
		this.infos.set(name, info);
		return info;
	}
}

const copy = (value: unknown): unknown => (isRecord(value) ? { ...value } : value);

const isPrimitive = (value: unknown) => typeof value !== 'object' || value === null;

const isSame = (one: unknown, other: unknown) =>
	isPrimitive(one) ? one === other : JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether the shallow `copy` is a full copy. It is for a primitive, and for a flat object that the user entered (`raw` is an
 * object, too). An object that n8n created from other input, such as a date, would lose its class.
 */
const isCopyable = (value: unknown, raw: unknown) =>
	isPrimitive(value) ||
	(isRecord(value) && isRecord(raw) && Object.values(value).every(isPrimitive));
