import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';

/**
 * The part of a request that a value is sent in. `body` is a member of the JSON object, `wholeBody` the entire body if it is
 * not an object, such as a bare number, and `claim` a claim of the token that the operation's `sign` creates.
 */
export type RequestPart = 'path' | 'query' | 'body' | 'wholeBody' | 'claim';

/** Where the value of a field is sent. */
export interface Target {
	in: RequestPart;
	/**
	 * The service's name for the value, if it differs from the field's name. In a body or claim, a dot separates nested
	 * members.
	 */
	as?: string;
	/** Whether the value is an object whose members are sent as separate members of the body, with their own names. */
	spread?: boolean;
}

/** Context of a `read` function: data about the item other than the field's own raw value. */
export interface ReadContext {
	/** The workflow's time zone, which applies to dates without one. */
	readonly timezone: string;
	/** Reports that a date without a time zone was read in the workflow's time zone. */
	readonly onLocalDate?: () => void;
	/** Returns the raw value of another field of the operation: the parameter as n8n evaluated it, before `read`. */
	rawValue(field: Field): unknown;
	/** Whether the user added an option or filled in a field. True even if the field's expression returns nothing. */
	isSet(field: Field): boolean;
	/** Keeps a value out of error messages. */
	addSecret(value: unknown): void;
}

/**
 * Converts a raw value to the value that is sent; `undefined` omits it. Throws BadInput if the raw value cannot be sent.
 * `label` is the field's display name, for messages.
 */
export type ReadField<Value> = (raw: unknown, context: ReadContext, label: string) => Value;

/**
 * One field of an operation: the n8n property that the panel shows, plus how its value is read (`read`) and where it is sent
 * (`target`). Define it with `field`, `collection` or `locator` (`panel/locator`): they infer `Name` and `Value`, the type of the
 * value that the operation's handlers receive.
 */
export type Field<Name extends string = string, Value = unknown> = Omit<
	INodeProperties,
	'name' | 'options'
> & {
	name: Name;
	/**
	 * Converts the raw value. By default types that hold a single text (`string`, `options`, `resourceLocator`) and path
	 * values are converted to text, and any other raw value is sent as it is. `read` is not called for a field that was left
	 * blank, except in the path or with `readWhenBlank`. It is called for a blank field that the user added to a collection:
	 * sending the blank value clears the value at the service.
	 */
	read?: ReadField<Value>;
	/** Whether `read` is also called for a blank field, because the value can come from elsewhere, such as another field. */
	readWhenBlank?: boolean;
	/**
	 * Whether the item fails if the user set the field and its value is blank. For checks: without a value the check would be
	 * skipped, and the output could not be distinguished from that of a passed check.
	 */
	rejectBlank?: boolean;
	/**
	 * The part of the request that gets the value. Missing if the value is sent in no request, or if the operation's handlers
	 * send it. Has no effect in an operation without `request`.
	 */
	target?: Target;
	/** Whether the value must not appear in error messages, such as a one-time code. */
	secret?: boolean;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
};

/** The type of a field's value. */
export type FieldValue<F> = F extends { read?: ReadField<infer Value> } ? Value : never;

/** The type of a value without `read`, by the n8n type of the field. */
type ValueOfType<Type> = Type extends 'string' | 'options' | 'resourceLocator' | 'hidden'
	? string
	: unknown;

type Display = INodeProperties['displayOptions'];
type Flag = boolean | undefined;

/** The members that decide whether a field always has a value. */
interface PresenceRules<Required extends Flag, ReadWhenBlank extends Flag, Shown extends Display> {
	required?: Required;
	readWhenBlank?: ReadWhenBlank;
	displayOptions?: Shown;
}

type Spec<Name extends string, Type extends NodePropertyTypes> = Omit<
	Field<Name>,
	'type' | 'read' | keyof PresenceRules<Flag, Flag, Display>
> & { type: Type };

/** The value's type, with undefined if the field may be left blank or hidden by another field. */
type MaybeValue<
	Value,
	Required extends Flag,
	ReadWhenBlank extends Flag,
	Shown extends Display,
> = Shown extends object
	? Value | undefined
	: Required extends true
		? Exclude<Value, undefined>
		: ReadWhenBlank extends true
			? Value
			: Value | undefined;

/**
 * Defines a field. The type of its value is the return type of `read`, or follows from `type`. The type includes undefined
 * unless the field is `required` or `readWhenBlank`. With `displayOptions`, it always includes undefined.
 */
export function field<
	Name extends string,
	Type extends NodePropertyTypes,
	Value,
	Required extends Flag = undefined,
	ReadWhenBlank extends Flag = undefined,
	Shown extends Display = undefined,
>(
	spec: Spec<Name, Type> &
		PresenceRules<Required, ReadWhenBlank, Shown> & { read: ReadField<Value> },
): Field<Name, MaybeValue<Value, Required, ReadWhenBlank, Shown>>;
export function field<
	Name extends string,
	Type extends NodePropertyTypes,
	Required extends Flag = undefined,
	ReadWhenBlank extends Flag = undefined,
	Shown extends Display = undefined,
>(
	spec: Spec<Name, Type> & PresenceRules<Required, ReadWhenBlank, Shown> & { read?: undefined },
): Field<Name, MaybeValue<ValueOfType<Type>, Required, ReadWhenBlank, Shown>>;
export function field(spec: Field): Field {
	return spec;
}

/** Defines a collection of optional fields. Its value has a member for each field that the user added. */
export function collection<Name extends string, Fields extends Field[]>(
	spec: Omit<Field<Name>, 'type' | 'options' | 'default' | 'read'> & { options: [...Fields] },
): Field<Name, { [F in Fields[number] as F['name']]?: FieldValue<F> } | undefined> {
	return { ...spec, type: 'collection', default: {} };
}

/** Returns a copy of a field that may be left blank. */
export const optional = <Name extends string, Value>(
	base: Field<Name, Value>,
	changes: Partial<Omit<Field, 'name' | 'read'>> = {},
): Field<Name, Value | undefined> => ({ ...base, ...changes, required: undefined });

/** Returns a copy of a field that is shown only if other fields have one of these values. */
export const shownIf = <Name extends string, Value>(
	base: Field<Name, Value>,
	values: NonNullable<IDisplayOptions['show']>,
): Field<Name, Value | undefined> => ({
	...base,
	displayOptions: { show: { ...base.displayOptions?.show, ...values } },
});
