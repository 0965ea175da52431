import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../values/convert';

/** Stands for a field that the user does not see, because another field hides it. */
export const HIDDEN = Symbol('hidden');

/**
 * The parameters of the node for each item. n8n searches all properties of a node for every value that it is asked for, which
 * costs more than all else that is done for an item here. So what holds no expression is asked for once.
 */
export class Parameters {
	private readonly fixed = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** The value of a parameter for one item, which nobody else can change. */
	get(name: string, itemIndex: number): unknown {
		if (this.fixed.has(name)) return copy(this.fixed.get(name));
		// n8n gives a hidden field no value, and throws when asked for one.
		const raw: unknown = this.context.getNodeParameter(name, itemIndex, null, {
			rawExpressions: true,
		});
		const value: unknown =
			raw === null
				? HIDDEN
				: this.context.getNodeParameter(name, itemIndex, undefined, { extractValue: true });
		if (!holdsExpression(raw) && isCopyable(value, raw)) this.fixed.set(name, copy(value));
		return value;
	}
}

const copy = (value: unknown): unknown => (isRecord(value) ? { ...value } : value);

const isSimple = (value: unknown) => typeof value !== 'object' || value === null;

/** Whether a copy is as good as the value and shares nothing with it. What n8n made an object of, such as a date, has more to it. */
const isCopyable = (value: unknown, raw: unknown) =>
	isSimple(value) || (isRecord(value) && isRecord(raw) && Object.values(value).every(isSimple));

/** Whether something may come to another value for another item: n8n takes every text for an expression that begins so. */
const holdsExpression = (raw: unknown): boolean =>
	typeof raw === 'object' && raw !== null
		? Object.values(raw).some(holdsExpression)
		: typeof raw === 'string' && raw.startsWith('=');
