package dev.daybreak.notification;

/** A message could not be handed over, for a reason that staff can read. */
final class DeliveryFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DeliveryFailed(String reason) {
        super(reason, null, false, false);
    }
}
