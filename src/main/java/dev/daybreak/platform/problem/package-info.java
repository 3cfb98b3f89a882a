/** Every refusal and failure as one kind of answer: an RFC 9457 problem document in the client's language. */
@NullMarked
package dev.daybreak.platform.problem;

import org.jspecify.annotations.NullMarked;
