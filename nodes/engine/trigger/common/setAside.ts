import { isRecord } from '../../values/convert';
import { stateUnreadable } from './messages';

/** The most characters that are kept: n8n loads static data with every execution. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Parts of a trigger's stored state that this version cannot read: damaged ones, and state of a version that is not known. They
 * stay in static data as raw text, so that nothing is destroyed, and are reported once.
 */
export class SetAside {
	private readonly texts = new Set<string>();
	/** What was set aside by this process and is still to be reported. */
	private unreported: unknown[] = [];
	private characters = 0;
	private dropped = 0;

	/** Restores what earlier processes set aside, from each form in which the trigger's state is known. */
	constructor(columns: unknown[]) {
		for (const column of columns) {
			const kept: unknown = isRecord(column) ? column.setAside : undefined;
			if (kept === undefined) continue;
			for (const text of Array.isArray(kept) ? kept : [kept]) {
				if (typeof text === 'string') this.keep(text);
				else this.add(text);
			}
		}
	}

	/** Sets a part aside, unless the same part was set aside before. */
	readonly add = (part: unknown): void => {
		const text = typeof part === 'string' ? part : JSON.stringify(part);
		if (this.texts.has(text)) return;
		this.unreported.push(part);
		if (!this.keep(text)) this.dropped++;
	};

	/** The raw texts, as they are stored beside the trigger's state. */
	toSaved(): { setAside?: string[] } {
		return this.texts.size === 0 ? {} : { setAside: [...this.texts] };
	}

	/** Returns the report on what was set aside since the last call, if anything was. */
	takeReport(): Error | undefined {
		const parts = this.unreported;
		this.unreported = [];
		if (parts.length === 0) return undefined;
		return stateUnreadable(parts.length, this.dropped, parts.flatMap(idIn));
	}

	private keep(text: string): boolean {
		if (this.texts.has(text)) return true;
		if (this.characters + text.length > MAX_CHARACTERS) return false;
		this.characters += text.length;
		this.texts.add(text);
		return true;
	}
}

/** The ID that a part of the state is about. Nothing else of it is shown: what came along with an ID may be secret. */
function idIn(part: unknown): string[] {
	const { id }: { id?: unknown } = isRecord(part) ? part : {};
	return typeof id === 'string' ? [id] : [];
}
